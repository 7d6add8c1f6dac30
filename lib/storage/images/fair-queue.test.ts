import { describe, expect, it } from "vitest";
import { FairQueue, QueueFullError } from "./fair-queue";

/** A queue whose works end when the test says so, and that notes in which order they began. */
function aQueue(limits = { total: 10, perCaller: 10 }) {
  const queue = new FairQueue(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (caller: string, name: string, signal?: AbortSignal) =>
    queue.run(
      caller,
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, run, end };
}

describe("the queue", () => {
  it("runs one work at a time, and each caller's in their order", async () => {
    const { begun, run, end } = aQueue();
    const works = ["a1", "a2", "a3"].map((name) => run("a", name));
    expect(begun).toEqual(["a1"]);
    await end("a1");
    expect(begun).toEqual(["a1", "a2"]);
    await end("a2");
    await end("a3");
    expect(await Promise.all(works)).toEqual(["a1", "a2", "a3"]);
  });

  it("lets callers take turns, however many works one of them has", async () => {
    const { begun, run, end } = aQueue();
    for (const name of ["a1", "a2", "a3", "a4"]) void run("a", name);
    for (const name of ["b1", "b2"]) void run("b", name);
    void run("c", "c1");
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("refuses what would have to wait behind too many, of one caller or of all", async () => {
    const { run, end } = aQueue({ total: 3, perCaller: 2 });
    const first = run("a", "a1");
    void run("a", "a2");
    void run("a", "a3");
    await expect(run("a", "a4")).rejects.toThrow(QueueFullError);
    void run("b", "b1");
    await expect(run("c", "c1")).rejects.toThrow(QueueFullError);
    await end("a1");
    await first;
    const last = run("c", "c2");
    for (const name of ["a2", "b1", "a3", "c2"]) await end(name);
    expect(await last).toBe("c2");
  });

  it("goes on after a work that failed", async () => {
    const { queue, run, end } = aQueue();
    const failing = queue.run("a", () => Promise.reject(new Error("broken")));
    const next = run("b", "b1");
    await expect(failing).rejects.toThrow("broken");
    await end("b1");
    expect(await next).toBe("b1");
  });

  it("gives up the place of a caller who goes away, and never begins that work", async () => {
    const { begun, run, end } = aQueue({ total: 1, perCaller: 1 });
    void run("a", "a1");
    const leaving = new AbortController();
    const left = run("b", "b1", leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const next = run("c", "c1");
    await end("a1");
    await end("c1");
    expect(await next).toBe("c1");
    expect(begun).toEqual(["a1", "c1"]);
    await expect(run("d", "d1", leaving.signal)).rejects.toThrow("gone");
  });
});
