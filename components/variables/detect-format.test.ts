import { expect, it } from "vitest";
import { detectFormat } from "./detect-format";

it.each([
  ["A=1", "dotenv"],
  ["# comment\n\nexport A_B=x: y", "dotenv"],
  ["", "dotenv"],
  ['  {"A": "1"}', "json"],
  ["---\n# comment\nA: 1", "yaml"],
  ['"A.b": |\n  text', "yaml"],
  ["URL: https://example.com/?a=b", "yaml"],
])("%j is recognized by its content as %s", (text, format) => {
  expect(detectFormat(text)).toBe(format);
});

it.each([
  ["values.json", "json"],
  ["values.YAML", "yaml"],
  ["values.yml", "yaml"],
  [".env.production", "dotenv"],
])("%s is recognized by its name as %s", (name, format) => {
  expect(detectFormat("A=1", name)).toBe(format);
});
