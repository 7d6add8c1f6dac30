import "./lib/older-node";
import { run } from "@stricli/core";
import { application } from "./application";
import { processContext } from "./lib/context";
import { EXIT, Failure } from "./lib/failure";
import { failureDocument } from "./lib/report";

/** Whether the command line asks for JSON; what follows "--" is for another program. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).includes("--json");
}

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.refused),
);

const words = process.argv.slice(2);
const context = processContext(application);
await run(
  {
    ...application,
    config: {
      ...application.config,
      determineExitCode: (error) => {
        if (!(error instanceof Failure)) return EXIT.refused;
        if (wantsJson(words)) context.out.write(`${JSON.stringify(failureDocument(error), null, 2)}\n`);
        return error.exitCode;
      },
    },
  },
  words,
  context,
);
// The codes of the library for a wrong command line are negative.
if (Number(process.exitCode) < 0) process.exitCode = EXIT.usage;
// Work that an interruption leaves behind does not hold up the end.
if (process.exitCode === EXIT.interrupted) process.exit();
