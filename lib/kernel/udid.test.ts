import { expect, it } from "vitest";
import { normalizeUdid } from "./udid";

const OLD = "0123456789abcdef0123456789abcdef01234567";
const NEW = "00008110-001A2B3C4D5E6F70";

it.each([
  [OLD, OLD],
  [OLD.toUpperCase(), OLD],
  [` ${NEW}\r`, NEW],
  [NEW.toLowerCase(), NEW],
  [NEW.replace("-", ""), NEW],
])("writes the UDID %j as %s", (text, udid) => {
  expect(normalizeUdid(text)).toBe(udid);
});

it.each(["", "0".repeat(39), "0".repeat(41), "g".repeat(40), `${NEW}0`, "0000-8110001A2B3C4D5E6F70", `${OLD}\n${OLD}`])(
  "refuses %j",
  (text) => {
    expect(normalizeUdid(text)).toBeNull();
  },
);
