import { expect, it } from "vitest";
import { expiryHorizon, expiryStep } from "./expiry";

const now = new Date("2026-11-22T15:00:00Z");

it.each([
  ["2026-12-23T00:00:00Z", null],
  ["2026-12-22T23:59:59Z", 30],
  ["2026-11-30T00:00:00Z", 30],
  ["2026-11-29T23:59:59Z", 7],
  ["2026-11-24T00:00:00Z", 7],
  ["2026-11-23T14:00:00Z", 1],
  ["2026-11-22T15:00:01Z", 0],
  ["2026-11-22T15:00:00Z", "expired"],
  ["2025-01-01T00:00:00Z", "expired"],
] as const)("a certificate that expires on %s has reached the step %s on 22 November, 15:00", (date, step) => {
  expect(expiryStep(new Date(date), now)).toBe(step);
});

it("a certificate has reached a step if it expires before the horizon, and none otherwise", () => {
  const horizon = expiryHorizon(now);
  expect(expiryStep(horizon, now)).toBeNull();
  expect(expiryStep(new Date(horizon.getTime() - 1), now)).toBe(30);
});
