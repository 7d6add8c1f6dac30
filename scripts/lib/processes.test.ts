import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine, isAlive, parseProcStat, readPidFile, stopProcess, withLock, writePidFile } from "./processes.mjs";

const folder = mkdtempSync(join(tmpdir(), "slipway-processes-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function startChild(code: string) {
  const child = spawn(process.execPath, ["-e", `${code}; console.log("up"); setInterval(() => {}, 1000)`]);
  await once(child.stdout, "data");
  return { child, pid: child.pid as number };
}

describe("processes", () => {
  it("finds the start time in a stat line whose command contains spaces and parentheses", () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 4));
    expect(parseProcStat(`17 (a (b) c) S ${fields.join(" ")}`)).toBe("22");
  });

  it("does not take a zombie for a running process", () => {
    expect(parseProcStat(`17 (node) Z ${"0 ".repeat(30)}`)).toBeUndefined();
  });

  it("reports whether a process is alive", async () => {
    const { child, pid } = await startChild("");
    const exit = once(child, "exit");
    expect(isAlive(pid)).toBe(true);
    expect(commandLine(pid)).toContain("setInterval");
    await expect(stopProcess(pid, { graceMs: 5_000 })).resolves.toBe("exited");
    expect(isAlive(pid)).toBe(false);
    expect(await exit).toEqual([null, "SIGTERM"]);
  });

  it("kills a process that ignores SIGTERM", async () => {
    const { pid } = await startChild("process.on('SIGTERM', () => {})");
    await expect(stopProcess(pid, { graceMs: 200 })).resolves.toBe("killed");
    expect(isAlive(pid)).toBe(false);
  });

  it("reads a PID file with its details while the process runs", () => {
    const file = join(folder, "own.json");
    writePidFile(file, process.pid, { port: 3000 });
    expect(readPidFile(file)).toMatchObject({ pid: process.pid, port: 3000 });
  });

  it("ignores a PID file whose PID now belongs to another process", () => {
    const file = join(folder, "reused.json");
    writeFileSync(file, JSON.stringify({ pid: process.pid, identity: "1" }));
    expect(readPidFile(file)).toBeUndefined();
  });

  it.each(["", "{", "null", '{"pid":"7"}', '{"pid":-1}'])("treats the damaged PID file %j as missing", (content) => {
    const file = join(folder, "damaged.json");
    writeFileSync(file, content);
    expect(readPidFile(file)).toBeUndefined();
  });

  it("gives a lock to one caller at a time, and releases it if the work fails", async () => {
    const lock = join(folder, "lock");
    const other = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `import { once } from "node:events";
       import { withLock } from ${JSON.stringify(new URL("./processes.mjs", import.meta.url).href)};
       await withLock(${JSON.stringify(lock)}, async () => { console.log("in"); await once(process.stdin, "data"); });
       process.exit();`,
    ]);
    await once(other.stdout, "data");
    let entered = false;
    const waiting = withLock(lock, async () => {
      entered = true;
    });
    await delay(100);
    expect(entered).toBe(false);
    other.stdin.write("go\n");
    await waiting;
    expect(entered).toBe(true);
    await expect(withLock(lock, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(withLock(lock, async () => "free")).resolves.toBe("free");
  });

  it("takes over the lock of a dead process", async () => {
    const lock = join(folder, "dead-lock");
    const { pid } = await startChild("");
    writePidFile(lock, pid);
    await stopProcess(pid, { graceMs: 0, signal: "SIGKILL" });
    await expect(withLock(lock, async () => "mine")).resolves.toBe("mine");
  });
});
