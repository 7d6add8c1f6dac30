import { expect, it } from "vitest";
import { formatBytes } from "./format";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [999_499, "999 kB"],
  [999_950, "1 MB"],
  [84_213_977, "84.2 MB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
