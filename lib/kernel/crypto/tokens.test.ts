import { expect, it } from "vitest";
import { looksLikeApiToken, newApiToken } from "./tokens";

it("creates unique tokens that look like API tokens", () => {
  const tokens = new Set(Array.from({ length: 100 }, newApiToken));
  expect(tokens.size).toBe(100);
  for (const token of tokens) expect(looksLikeApiToken(token)).toBe(true);
});

it("rejects a mistyped, a truncated and an extended token", () => {
  const token = newApiToken();
  const other = token[10] === "A" ? "B" : "A";
  expect(looksLikeApiToken(`${token.slice(0, 10)}${other}${token.slice(11)}`)).toBe(false);
  expect(looksLikeApiToken(token.slice(0, -1))).toBe(false);
  expect(looksLikeApiToken(`${token}0`)).toBe(false);
  expect(looksLikeApiToken("")).toBe(false);
});
