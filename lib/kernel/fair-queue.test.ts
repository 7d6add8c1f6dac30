import { describe, expect, it } from "vitest";
import { FairQueue, QueueFullError, type QueueLimits } from "./fair-queue";

/** Returns a queue, the names of its started tasks in order, and functions that add and finish a task. */
function aQueue(limits: QueueLimits = { running: 1, waiting: 10, waitingPerCaller: 10 }) {
  const clock = { ms: 0 };
  const queue = new FairQueue(limits, () => clock.ms);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (caller: string, name: string, signal?: AbortSignal) =>
    queue.run(
      caller,
      () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  /** @param ms for how long the task has run */
  const end = async (name: string, ms = 0) => {
    clock.ms += ms;
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, started, run, end };
}

describe("the queue", () => {
  it("runs tasks at the same time up to its limit", async () => {
    const { started, run, end } = aQueue({ running: 2, waiting: 10, waitingPerCaller: 10 });
    for (const name of ["a1", "a2", "a3", "a4"]) void run("a", name);
    expect(started).toEqual(["a1", "a2"]);
    await end("a2");
    expect(started).toEqual(["a1", "a2", "a3"]);
    for (const name of ["a1", "a3", "a4"]) await end(name);
    for (const name of ["b1", "b2", "b3"]) void run("b", name);
    expect(started.slice(4)).toEqual(["b1", "b2"]);
  });

  it("runs the tasks of a caller in their order", async () => {
    const { started, run, end } = aQueue();
    const tasks = ["a1", "a2", "a3"].map((name) => run("a", name));
    expect(started).toEqual(["a1"]);
    await end("a1");
    expect(started).toEqual(["a1", "a2"]);
    await end("a2");
    await end("a3");
    expect(await Promise.all(tasks)).toEqual(["a1", "a2", "a3"]);
  });

  it("gives callers turns, regardless of how many tasks they have", async () => {
    const { started, run, end } = aQueue();
    for (const name of ["a1", "a2", "a3", "a4"]) void run("a", name);
    for (const name of ["b1", "b2"]) void run("b", name);
    void run("c", "c1");
    for (const name of ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]) await end(name);
    expect(started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  });

  it("refuses a task when too many wait, of the caller or in total", async () => {
    const { run, end } = aQueue({ running: 1, waiting: 3, waitingPerCaller: 2 });
    const first = run("a", "a1");
    void run("a", "a2");
    const displaced = run("a", "a3");
    await expect(run("a", "a4")).rejects.toThrow(QueueFullError);
    void run("b", "b1");
    void run("c", "c1");
    await expect(displaced).rejects.toThrow(QueueFullError);
    await expect(run("d", "d1")).rejects.toThrow(QueueFullError);
    await expect(run("b", "b2")).rejects.toThrow(QueueFullError);
    await end("a1");
    await first;
    const last = run("c", "c2");
    for (const name of ["b1", "c1", "a2", "c2"]) await end(name);
    expect(await last).toBe("c2");
  });

  it("accepts a task of a caller without tasks, even if others fill the queue", async () => {
    const { started, run, end } = aQueue({ running: 1, waiting: 8, waitingPerCaller: 4 });
    const tasks = ["a", "b"].flatMap((caller) => [1, 2, 3, 4].map((number) => run(caller, `${caller}${number}`)));
    tasks.push(run("a", "a5"));
    const outcomes = Promise.allSettled(tasks);
    const late = run("c", "c1");
    for (const name of ["a1", "b1", "c1", "a2", "b2", "a3", "b3", "a4", "b4"]) await end(name);
    expect(await late).toBe("c1");
    const refused = (await outcomes).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1);
    expect(started).toHaveLength(9);
  });

  it("lets a caller without a recent turn wait for one task, regardless of how many callers wait", async () => {
    const { started, run, end } = aQueue({ running: 1, waiting: 20, waitingPerCaller: 2 });
    const callers = ["a", "b", "c", "d", "e"];
    for (const caller of callers) for (const number of [1, 2]) void run(caller, `${caller}${number}`);
    for (const caller of callers) await end(`${caller}1`);
    void run("late", "late1");
    await end("a2");
    expect(started.at(-1)).toBe("late1");
    void run("late", "late2");
    for (const name of ["late1", "b2", "c2", "d2", "e2"]) await end(name);
    expect(started.slice(-5)).toEqual(["b2", "c2", "d2", "e2", "late2"]);
  });

  it("lets a caller with short tasks wait for one long task each time, regardless of how many callers have long ones", async () => {
    const { started, run, end } = aQueue({ running: 1, waiting: 20, waitingPerCaller: 4 });
    const callers = ["a", "b", "c", "d", "e"];
    for (const caller of callers) for (const number of [1, 2, 3]) void run(caller, `${caller}${number}`);
    for (const caller of callers) await end(`${caller}1`, 4_000);
    for (const [index, long] of ["a2", "b2", "c2", "d2", "e2"].entries()) {
      void run("short", `logo${index}`);
      await end(long, 4_000);
      expect(started.at(-1)).toBe(`logo${index}`);
      await end(`logo${index}`, 100);
    }
    expect(started.at(-1)).toBe("a3");
  });

  it("does not let a caller who had a long task wait until others have used as much", async () => {
    const { started, run, end } = aQueue({ running: 1, waiting: 20, waitingPerCaller: 10 });
    for (const name of ["a1", "a2", "a3"]) void run("a", name);
    await end("a1", 600_000);
    for (const number of [1, 2, 3, 4, 5, 6]) void run("b", `b${number}`);
    for (const name of ["a2", "b1", "b2", "b3"]) await end(name, 2_000);
    await end(started.at(-1) as string, 2_000);
    expect(started).toContain("a3");
  });

  it("runs no more tasks of one caller at the same time than it may, and those of others beside them", async () => {
    const { started, run, end } = aQueue({ running: 3, runningPerCaller: 2, waiting: 10, waitingPerCaller: 10 });
    for (const name of ["a1", "a2", "a3"]) void run("a", name);
    void run("b", "b1");
    expect(started).toEqual(["a1", "a2", "b1"]);
    void run("c", "c1");
    await end("b1");
    expect(started).toEqual(["a1", "a2", "b1", "c1"]);
    await end("c1");
    expect(started).not.toContain("a3");
    await end("a1");
    expect(started).toContain("a3");
  });

  it("lets a task that goes on before the caller's others, also where no more may wait", async () => {
    const { queue, started, run, end } = aQueue({ running: 1, waiting: 1, waitingPerCaller: 1 });
    void run("a", "a1");
    void run("a", "a2");
    const goesOn = queue.enter("a", { continues: true });
    await end("a1");
    const leave = await goesOn;
    expect(started).toEqual(["a1"]);
    leave();
    await end("a2");
    expect(started).toEqual(["a1", "a2"]);
  });

  it("continues after a task that failed", async () => {
    const { queue, run, end } = aQueue();
    const failing = queue.run("a", () => Promise.reject(new Error("broken")));
    const next = run("b", "b1");
    await expect(failing).rejects.toThrow("broken");
    await end("b1");
    expect(await next).toBe("b1");
  });

  it("drops a waiting task when its signal aborts", async () => {
    const { started, run, end } = aQueue({ running: 1, waiting: 1, waitingPerCaller: 1 });
    void run("a", "a1");
    const leaving = new AbortController();
    const left = run("b", "b1", leaving.signal);
    leaving.abort(new Error("cancelled"));
    await expect(left).rejects.toThrow("cancelled");
    const next = run("c", "c1");
    await end("a1");
    await end("c1");
    expect(await next).toBe("c1");
    expect(started).toEqual(["a1", "c1"]);
    await expect(run("d", "d1", leaving.signal)).rejects.toThrow("cancelled");
  });
});

it("refuses no task that continues when it is full", async () => {
  const queue = new FairQueue({ running: 10, runningPerCaller: 1, waiting: 2, waitingPerCaller: 2 });
  const end = await queue.enter("a");
  await queue.enter("b");
  const continuing = [queue.enter("a", { continues: true }), queue.enter("a", { continues: true })];
  await expect(queue.enter("b")).rejects.toThrow(QueueFullError);
  end();
  (await continuing[1])?.();
  await expect(continuing[0]).resolves.toBeTypeOf("function");
});
