import { expect, it } from "vitest";
import { BUSY_TURN_BYTES, MAX_TURN_BYTES, SendTurns } from "./send-turns";

/** Resolves in the next turn of the event loop. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it("limits the bytes that downloads write in a turn of the event loop, and serves the longest waiting first", async () => {
  const turns = new SendTurns({ hasOtherWork: () => false, now: () => 0 });
  const begun: number[] = [];
  const all = Array.from({ length: 6 }, async (_, index) => {
    await turns.take(BUSY_TURN_BYTES / 2);
    begun.push(index);
  });
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  await Promise.all(all);
});

it("does not let a download that wants more overtake one that waits", async () => {
  const turns = new SendTurns({ hasOtherWork: () => false, now: () => 0 });
  const begun: string[] = [];
  const wanted = async (name: string) => {
    for (let times = 0; times < 3; times++) {
      await turns.take(BUSY_TURN_BYTES);
      begun.push(name);
    }
  };
  await Promise.all([wanted("a"), wanted("b")]);
  expect(begun).toEqual(["a", "b", "a", "b", "a", "b"]);
});

it("lets downloads write more after a long turn, up to a limit, and one block while there is other work", async () => {
  let now = 0;
  let hasOtherWork = false;
  const turns = new SendTurns({ hasOtherWork: () => hasOtherWork, now: () => now });
  let begun = 0;
  for (let index = 0; index < 1_000; index++) void Promise.resolve(turns.take(BUSY_TURN_BYTES)).then(() => begun++);
  const begunInTurnAfter = async (milliseconds: number) => {
    const before = begun;
    now += milliseconds;
    await nextTurn();
    return begun - before;
  };
  await Promise.resolve();
  await Promise.resolve();
  expect(await begunInTurnAfter(0)).toBe(1);
  expect(await begunInTurnAfter(1)).toBe((1024 * 1024) / BUSY_TURN_BYTES);
  expect(await begunInTurnAfter(500)).toBe(MAX_TURN_BYTES / BUSY_TURN_BYTES);
  hasOtherWork = true;
  expect(await begunInTurnAfter(500)).toBe(1);
  hasOtherWork = false;
  expect(await begunInTurnAfter(500)).toBe(MAX_TURN_BYTES / BUSY_TURN_BYTES);
});
