import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { projectDir } from "./files.mjs";

const preload = `--import=${pathToFileURL(join(projectDir, "scripts", "lib", "json-output.mjs"))}`;

function outputOf(script: string, settings: Record<string, string> = {}): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [preload, "--input-type=module", "--eval", script], {
    encoding: "utf8",
    // Node warns if NO_COLOR is set too.
    env: { ...process.env, NO_COLOR: undefined, SLIPWAY_LOCAL: "", FORCE_COLOR: "1", ...settings },
  });
  return `${stdout}${stderr}`.split("\n").filter(Boolean);
}

describe("the output of the server", () => {
  it("is one JSON object per line: text, errors of several lines, warnings of Node, and lines of the log", () => {
    const lines = outputOf(`
      console.log("\\u001b[1m▲ Next.js 16\\u001b[22m\\n- Local: http://localhost:3000");
      console.log();
      console.error("⨯", new Error("of several lines"));
      console.error("⨯", "ApiError: unavailable");
      console.warn("⚠ look at this");
      process.stdout.write('{"level":30,"msg":"a line of the log"}\\n');
      process.stdout.write("{ not JSON }\\n");
      process.stderr.write(Buffer.from("bytes\\n"));
      process.emitWarning("old", "DeprecationWarning");
    `);
    const events = lines.map((line) => JSON.parse(line) as { level: number; time?: string; msg: string });
    const brief = events.map(({ level, msg }) => [level, msg.split("\n")[0]]);
    expect(brief).toEqual(
      expect.arrayContaining([
        [30, "▲ Next.js 16"],
        [50, "⨯ Error: of several lines"],
        [40, "⨯ ApiError: unavailable"],
        [40, "⚠ look at this"],
        [30, "a line of the log"],
        [30, "{ not JSON }"],
        [50, "bytes"],
        [40, "DeprecationWarning: old"],
      ]),
    );
    expect(brief).toHaveLength(8);
  });

  it("stays as it is for npm start, which shows it to people", () => {
    expect(outputOf('console.log("for people")', { SLIPWAY_LOCAL: "1" })).toEqual(["for people"]);
  });
});
