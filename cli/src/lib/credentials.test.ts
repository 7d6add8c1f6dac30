import { describe, expect, it } from "vitest";
import { consoleUrl } from "./credentials";

describe("the address of a console", () => {
  it.each([
    ["slipway.example.com", "https://slipway.example.com"],
    ["https://slipway.example.com/", "https://slipway.example.com"],
    ["localhost:3000", "https://localhost:3000"],
    ["http://slipway:3000", "http://slipway:3000"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ])("%s is %s", (text, url) => expect(consoleUrl(text)).toBe(url));

  it.each(["https://slipway.example.com/slipway", "slipway.example.com/?x=1", "https://slipway.example.com/#a"])(
    "has no path, as %s",
    (text) => {
      expect(() => consoleUrl(text)).toThrow(/^The console’s address has a path/);
    },
  );

  it.each([
    "staging",
    `slw_${"x".repeat(50)}`,
    "ftp://slipway.example.com",
    "https://ana:secret@slipway.example.com",
    "",
  ])("is not %j, which is not repeated", (text) =>
    expect(() => consoleUrl(text)).toThrow(/^The console’s address is not a URL\.$/),
  );
});
