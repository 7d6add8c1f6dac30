import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue";
import { aside, keepingTurn, Turn, withTurn } from "./turns";

function aQueue(): FairQueue {
  return new FairQueue({ running: 9, runningPerCaller: 1, waiting: 9, waitingPerCaller: 9 });
}

/** A call of a caller that has begun. */
async function aTurn(queue: FairQueue, caller = "a"): Promise<Turn> {
  const turn = new Turn(queue, caller);
  await turn.begin();
  return turn;
}

const isWaiting = (queue: FairQueue) => ({ running: queue.running, waiting: queue.waiting });

describe("a call", () => {
  it("lets the caller's next one run while it waits for something else, and goes on after that one", async () => {
    const queue = aQueue();
    const turn = await aTurn(queue);
    const next = aTurn(queue);
    const bytes = Promise.withResolvers<string>();
    const received = withTurn(turn, () => aside(() => bytes.promise));
    const running = await next;
    bytes.resolve("received");
    await new Promise(setImmediate);
    expect(isWaiting(queue)).toEqual({ running: 1, waiting: 1 });
    running.end();
    expect(await received).toBe("received");
    turn.end();
    expect(isWaiting(queue)).toEqual({ running: 0, waiting: 0 });
  });

  it("has its place for what it does within that, and for what it does after a failure", async () => {
    const queue = aQueue();
    const turn = await aTurn(queue);
    const failing = turn.aside(async () => {
      expect(isWaiting(queue).running).toBe(0);
      await turn.within(async () => expect(isWaiting(queue).running).toBe(1));
      expect(isWaiting(queue).running).toBe(0);
      throw new Error("interrupted");
    });
    await expect(failing).rejects.toThrow("interrupted");
    expect(isWaiting(queue).running).toBe(1);
    turn.end();
  });

  it("keeps its place where its caller's other calls may wait for what it holds", async () => {
    const queue = aQueue();
    const turn = await aTurn(queue);
    void aTurn(queue);
    await withTurn(turn, () => keepingTurn(() => aside(async () => expect(isWaiting(queue).waiting).toBe(1))));
    turn.end();
    await new Promise(setImmediate);
    expect(isWaiting(queue)).toEqual({ running: 1, waiting: 0 });
  });

  it("is another caller's from the moment on at which it is known whose it is", async () => {
    const queue = aQueue();
    const [turn, busy] = [await aTurn(queue, "network"), await aTurn(queue, "user")];
    const moved = turn.moveTo("user");
    const other = await aTurn(queue, "network");
    expect(isWaiting(queue)).toEqual({ running: 2, waiting: 1 });
    busy.end();
    await moved;
    for (const one of [turn, other]) one.end();
    expect(isWaiting(queue)).toEqual({ running: 0, waiting: 0 });
  });

  it("goes on after its end in turns of its caller", async () => {
    const queue = aQueue();
    const turn = await aTurn(queue);
    expect(await turn.continued(async () => isWaiting(queue))).toEqual({ running: 1, waiting: 0 });
    turn.end();
    const pages = [1, 2].map((page) => turn.continued(async () => [page, isWaiting(queue).running]));
    expect(isWaiting(queue)).toEqual({ running: 1, waiting: 1 });
    expect(await Promise.all(pages)).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(isWaiting(queue)).toEqual({ running: 0, waiting: 0 });
  });

  it("takes no place after its end for work that nobody waited for", async () => {
    const queue = aQueue();
    const turn = await aTurn(queue);
    const left = Promise.withResolvers<void>();
    const leftBehind = turn.aside(() => left.promise);
    turn.end();
    left.resolve();
    await leftBehind;
    expect(isWaiting(queue)).toEqual({ running: 0, waiting: 0 });
  });
});
