import "./lib/older-node";
import { run } from "@stricli/core";
import { application } from "./application";
import { processContext } from "./lib/context";
import { EXIT, Failure, fileFailure, usageFailure } from "./lib/failure";
import { failureDocument } from "./lib/report";
import { writeJson } from "./lib/write-json";

/** Whether the command line asks for JSON; what follows "--" is for another program. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).includes("--json");
}

const words = process.argv.slice(2);
const context = processContext(application);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, closes the pipe.
  if (error.code === "EPIPE") process.exit(EXIT.done);
  const failure = fileFailure("stdout", error) ?? usageFailure(`stdout cannot be written: ${error.code}.`);
  context.err.say(failure.message);
  process.exit(failure.exitCode);
});
// Where nobody reads messages any more, the work goes on.
process.stderr.on("error", () => undefined);
async function main(): Promise<void> {
  await run(
    {
      ...application,
      config: {
        ...application.config,
        determineExitCode: (error) => {
          if (!(error instanceof Failure)) return EXIT.refused;
          if (wantsJson(words)) writeJson(context, failureDocument(error));
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
}
void main();
