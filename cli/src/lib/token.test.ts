import { expect, it } from "vitest";
import { endOfToken } from "./token";

const now = new Date("2026-11-23T12:00:00Z");

it.each([
  ["2027-11-23T00:00:00.000Z", "Valid until 2027-11-23.", false],
  ["2026-12-07T12:00:00.000Z", "Valid until 2026-12-07.", false],
  ["2026-12-07T11:59:59.000Z", "Valid until 2026-12-07, 13 days left.", true],
  ["2026-11-24T13:00:00.000Z", "Valid until 2026-11-24, 1 day left.", true],
  ["2026-11-23T13:00:00.000Z", "Valid until 2026-11-23, less than a day left.", true],
])("a token until %s: %s", (validUntil, text, isSoon) => {
  expect(endOfToken(validUntil, now)).toEqual({ text, isSoon });
});
