import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  MAX_RENDERED,
  MAX_RENDERED_PER_CALLER,
  MAX_TURN_MS,
  MAX_WAITING_PER_CALLER,
  RenderTurns,
} from "./render-turns";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const nextTurn = () => new Promise(setImmediate);

/** Turns, and those that have begun. */
function someTurns() {
  const turns = new RenderTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = (caller: string, name = caller) =>
    turns.take(caller, (end) => {
      begun.push(name);
      ends.push(end);
    });
  return { take, begun, ends };
}

describe("turns to render pages", () => {
  it("are a few at a time for each caller, and the others wait", async () => {
    const { take, begun, ends } = someTurns();
    for (const name of ["1", "2", "3"]) expect(take("ada", name)).toBe(true);
    expect(begun).toEqual(["1", "2"]);
    expect(MAX_RENDERED_PER_CALLER).toBe(2);
    ends[0]?.();
    ends[0]?.();
    await nextTurn();
    expect(begun).toEqual(["1", "2", "3"]);
  });

  it("are taken in turn by callers who wait, however many requests one of them has", async () => {
    const { take, begun, ends } = someTurns();
    for (let one = 0; one < MAX_RENDERED / 2; one++) for (let page = 0; page < 2; page++) take(`caller ${one}`);
    for (const name of ["a1", "a2", "a3"]) take("ada", name);
    for (const name of ["b1", "b2"]) take("bob", name);
    expect(begun).toHaveLength(MAX_RENDERED);
    for (let turn = 0; turn < 4; turn++) {
      ends[turn]?.();
      await nextTurn();
    }
    expect(begun.slice(MAX_RENDERED)).toEqual(["a1", "b1", "a2", "b2"]);
  });

  it("are refused to a caller of whom too many requests wait, and to nobody else", () => {
    const { take } = someTurns();
    for (let one = 0; one < MAX_RENDERED_PER_CALLER + MAX_WAITING_PER_CALLER; one++) expect(take("ada")).toBe(true);
    expect(take("ada")).toBe(false);
    expect(take("bob")).toBe(true);
  });

  it("go on to the next after a while, if a page waits for something else", async () => {
    const { take, begun } = someTurns();
    for (const name of ["1", "2", "3"]) take("ada", name);
    vi.advanceTimersByTime(MAX_TURN_MS);
    await nextTurn();
    expect(begun).toEqual(["1", "2", "3"]);
  });
});
