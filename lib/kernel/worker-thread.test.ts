import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished, vi } from "vitest";
import { resultOfThread, type ThreadLimit } from "./worker-thread";

const NEVER_MS = 3_600_000;

const run = (program: string, limits: { timeoutMs?: number; processorTimeMs?: number }) => {
  const worker = new Worker(program, { eval: true });
  const result = resultOfThread<string, string>(worker, {
    timeoutMs: NEVER_MS,
    ...limits,
    exhausted: (limit: ThreadLimit) => new Error(limit),
    message: (message, { resolve }) => resolve(message),
  });
  return { worker, result };
};

it("a busy thread ends when it has used its processor time, whatever the clock says", async () => {
  const { worker, result } = run("for (;;) {}", { processorTimeMs: 50 });
  const ended = once(worker, "exit");
  await expect(result).rejects.toThrow("processor");
  await ended;
});

it("a thread that waits uses no processor time", async () => {
  const cpuUsage = vi.spyOn(Worker.prototype, "cpuUsage");
  onTestFinished(() => cpuUsage.mockRestore());
  const echo = `const { parentPort } = require("node:worker_threads"); parentPort.once("message", (m) => parentPort.postMessage(m))`;
  const { worker, result } = run(echo, { processorTimeMs: 10_000 });
  await expect.poll(() => cpuUsage.mock.calls.length).toBeGreaterThan(2);
  worker.postMessage("done");
  expect(await result).toBe("done");
});

it("a thread that waits for ever ends after the timeout", async () => {
  const { result } = run(`setInterval(() => {}, 1000)`, { timeoutMs: 50 });
  await expect(result).rejects.toThrow("time");
});
