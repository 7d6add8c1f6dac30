import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "@/lib/kernel/time";
import { seenUntil, withPageView } from "./last-visit";

const NOON = Date.UTC(2026, 0, 1, 12);

describe("the previous visit", () => {
  it("does not exist on the first one, nor for a cookie of another form", () => {
    expect(seenUntil(undefined, NOON)).toBeNull();
    expect(seenUntil("1.x", NOON)).toBeNull();
    const first = withPageView(undefined, NOON);
    expect(seenUntil(first, NOON + MINUTE_MS)).toBeNull();
  });

  it("stays the same during a visit, and moves on after half an hour without a page view", () => {
    const first = withPageView(undefined, NOON);
    const next = NOON + 40 * MINUTE_MS;
    expect(seenUntil(first, next)).toBe(NOON);
    const second = withPageView(first, next);
    expect(seenUntil(second, next)).toBe(NOON);
    const third = withPageView(second, next + 20 * MINUTE_MS);
    expect(seenUntil(third, next + 40 * MINUTE_MS)).toBe(NOON);
    expect(seenUntil(third, next + 60 * MINUTE_MS)).toBe(next + 20 * MINUTE_MS);
  });
});
