import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withDatabase } from "./database-use.mjs";
import { isAlive, writePidFile } from "./processes.mjs";
import { consoleFile } from "./running-console.mjs";

let dataDir: string;
let processes: ChildProcess[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "slipway-database-use-"));
  mkdirSync(join(dataDir, "run"));
  processes = [];
});
afterEach(() => {
  for (const one of processes) one.kill("SIGKILL");
  rmSync(dataDir, { recursive: true });
});

/** A process that stands for another one. */
function aProcess(): number {
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 60_000)"], { stdio: "ignore" });
  processes.push(child);
  return child.pid as number;
}

function aDatabase(state = "started") {
  const pid = aProcess();
  const database = {
    pid,
    state,
    stopped: false,
    async stop() {
      database.stopped = true;
    },
  };
  return database;
}

const command = (pid: number) => writePidFile(join(dataDir, "run", `command-${pid}.json`), pid);

it("a database that was started for a command is stopped after it, also if the command fails", async () => {
  const database = aDatabase();
  await withDatabase(
    dataDir,
    async () => database,
    async () => expect(database.stopped).toBe(false),
  );
  expect(database.stopped).toBe(true);
  const other = aDatabase();
  const failed = withDatabase(
    dataDir,
    async () => other,
    () => Promise.reject(new Error("no")),
  );
  await expect(failed).rejects.toThrow("no");
  expect(other.stopped).toBe(true);
});

it("a database that ran before is left running", async () => {
  const database = aDatabase("reused");
  await withDatabase(
    dataDir,
    async () => database,
    async () => {},
  );
  expect(database.stopped).toBe(false);
});

it("a command leaves the database to a console that was started after it", async () => {
  const database = aDatabase();
  await withDatabase(
    dataDir,
    async () => database,
    async () => writePidFile(consoleFile(dataDir), process.pid),
  );
  expect(database.stopped).toBe(false);
});

it("the last of several commands stops the database that the first one has started", async () => {
  const database = aDatabase();
  const other = aProcess();
  await withDatabase(
    dataDir,
    async () => database,
    async () => command(other),
  );
  expect(database.stopped).toBe(false);
  processes.find(({ pid }) => pid === other)?.kill("SIGKILL");
  await expect.poll(() => isAlive(other)).toBe(false);
  await withDatabase(
    dataDir,
    async () => ({ ...database, state: "reused" }),
    async () => {},
  );
  expect(database.stopped).toBe(true);
});
