import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { formatDuration, interruptLine, lastLines, step } from "./console.mjs";
import { projectDir } from "./files.mjs";

afterEach(() => vi.restoreAllMocks());

it("a step whose line was interrupted ends with a line of its own", async () => {
  let written = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  interruptLine();
  await step("Server", async (report) => {
    interruptLine();
    interruptLine();
    report("ready");
  });
  interruptLine();
  expect(written).toMatch(/^ {2}Server {8}…\n {2}Server {8}ready {2}\(\d+(\.\d)? s\)\n$/);
});

describe("durations", () => {
  it.each([
    [40, "0.0 s"],
    [1_449, "1.4 s"],
    [9_949, "9.9 s"],
    [9_950, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 min 0 s"],
    [185_000, "3 min 5 s"],
  ])("of %d ms are formatted as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("the last lines of an output", () => {
  it("are indented and omit trailing empty lines", () => {
    expect(lastLines("1\n2\n3\n\n", 2)).toBe("    2\n    3");
  });
});

it("goes on when nobody reads its output any more", async () => {
  const program = `
    import { outliveReaders } from ${JSON.stringify(join(projectDir, "scripts", "lib", "console.mjs"))};
    outliveReaders();
    process.stdin.on("end", () => { for (let n = 0; n < 3; n++) process.stdout.write("line\\n"); setImmediate(() => process.exit(7)); }).resume();
    process.stdout.write("ready\\n");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdout.once("data", () => {
    child.stdout.destroy();
    child.stdin.end();
  });
  const [code] = await once(child, "exit");
  expect(code).toBe(7);
});
