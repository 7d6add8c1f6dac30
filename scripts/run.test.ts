import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commands } from "./lib/commands.mjs";
import { projectDir } from "./lib/files.mjs";
import { writePidFile } from "./lib/processes.mjs";

/** Installs the packages that a maintenance command needs before its own, and counts its runs. */
const NPM = `
const { appendFileSync, cpSync, mkdirSync, writeFileSync } = require("node:fs");
const write = (folder, name, text) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + "/" + name, text);
};
appendFileSync("calls", process.argv[2] + "\\n");
write("node_modules/prisma", "package.json", '{"version":"1"}');
write("node_modules/prisma/build", "index.js", 'require("node:fs").mkdirSync("lib/db/generated", { recursive: true }); console.log("generated")');
write("node_modules/tsx/dist", "loader.mjs", "");
cpSync("package-lock.json", "node_modules/.package-lock.json");
`;

const COMMAND = `
import { existsSync } from "node:fs";
console.log(process.argv.slice(2).join(" "), existsSync("lib/db/generated"));
process.exitCode = 3;
`;

/** A fresh clone with one command, whose packages a program in the place of npm installs. */
function aClone() {
  const folder = mkdtempSync(join(tmpdir(), "slipway-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of ["package.json", "scripts/run.mjs", "lib/storage/disk/ballast-file.mjs"])
    cpSync(join(projectDir, path), join(folder, path));
  cpSync(join(projectDir, "scripts", "lib"), join(folder, "scripts", "lib"), {
    recursive: true,
    filter: (path) => !path.endsWith(".ts"),
  });
  mkdirSync(join(folder, "prisma"));
  writeFileSync(join(folder, "prisma", "schema.prisma"), "");
  writeFileSync(join(folder, "scripts", "restore.ts"), COMMAND);
  writeFileSync(join(folder, "npm-cli.cjs"), NPM);
  const lock = (version: string) =>
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "node_modules/a": { version } } }));
  lock("1");
  const { DATA_DIR: _, ...rest } = process.env;
  const env = { ...rest, npm_execpath: join(folder, "npm-cli.cjs") };
  const run = () =>
    new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      const args = ["scripts/run.mjs", "restore", "--identity", "a key"];
      execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      );
    });
  const installations = () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n").length;
  return { folder, lock, run, installations };
}

it("a command runs in a fresh clone: packages are installed and the client is generated, beside its answer", async () => {
  const { run, installations } = aClone();
  const first = await run();
  expect(first).toMatchObject({ code: 3, out: "--identity a key true\n" });
  expect(first.err).toMatch(/^ {2}Packages +installed, since they are missing/);
  expect(await run()).toEqual({ code: 3, out: "--identity a key true\n", err: "" });
  expect(installations()).toBe(1);
});

it("two commands at a time install the packages once", async () => {
  const { run, installations } = aClone();
  const runs = await Promise.all([run(), run()]);
  expect(runs.map(({ code }) => code)).toEqual([3, 3]);
  expect(installations()).toBe(1);
});

it("packages of another version are replaced, but not under a running console", async () => {
  const { folder, lock, run, installations } = aClone();
  await run();
  lock("2");
  mkdirSync(join(folder, ".data", "run"), { recursive: true });
  writePidFile(join(folder, ".data", "run", "start.json"), process.pid);
  expect((await run()).code).toBe(3);
  expect(installations()).toBe(1);
  rmSync(join(folder, ".data"), { recursive: true });
  expect((await run()).code).toBe(3);
  expect(installations()).toBe(2);
});

it("each maintenance command of the image is one of npm", () => {
  const { scripts } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"));
  // Health checks are the image's alone.
  for (const name of commands.filter((one) => one !== "health"))
    expect(scripts[name]).toBe(`exec node scripts/run.mjs ${name}`);
});
