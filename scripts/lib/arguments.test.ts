import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectDir } from "./files.mjs";
import { readPackageJson } from "./node-version.mjs";
import { readOptions } from "./serve.mjs";

describe("the arguments of npm start", () => {
  it("reach the program, because npm appends them to a single command", () => {
    const { scripts } = readPackageJson();
    expect([scripts.start, scripts.dev]).toEqual(["exec node scripts/start.mjs", "exec node scripts/start.mjs --dev"]);
  });

  it.each([
    [[], { mode: "start", lan: undefined }],
    [["--lan"], { mode: "start", lan: true }],
    [["--lan=192.168.1.20"], { mode: "start", lan: "192.168.1.20" }],
    [["--dev"], { mode: "dev", lan: undefined }],
  ])("%j are read", (args, options) => {
    expect(readOptions(args)).toEqual(options);
  });

  it.each([[["--lna"]], [["--lan="]], [["lan"]]])("%j are refused", (args) => {
    expect(() => readOptions(args)).toThrow("Unknown argument");
  });

  it("explain themselves, with the place of the log, before anything is installed", () => {
    const program = join(projectDir, "scripts", "start.mjs");
    const { stdout, status } = spawnSync(process.execPath, [program, "--help"], { encoding: "utf8" });
    expect(status).toBe(0);
    for (const words of ["npm start [-- --lan[=", "run/server.log", "keys/master.key"]) expect(stdout).toContain(words);
  });

  it("do not serve the local network in development", () => {
    expect(() => readOptions(["--dev", "--lan"])).toThrow("npm start only");
  });
});
