import { describe, expect, it } from "vitest";
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

  it("do not serve the local network in development", () => {
    expect(() => readOptions(["--dev", "--lan"])).toThrow("npm start only");
  });
});
