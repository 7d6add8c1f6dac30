import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SETTING_NAMES } from "@/lib/kernel/env";
import { projectDir } from "./lib/files.mjs";
import { settingsOf, withSettings } from "./lib/settings-docs";

const read = (path: string) => readFileSync(join(projectDir, path), "utf8");
const example = read(".env.example");

it("the page of the settings has those of .env.example; `npm run docs:cli` writes it", () => {
  const page = read("docs/operations/settings.md");
  expect(page).toBe(withSettings(page, example));
});

it(".env.example has each setting of the server", () => {
  // `npm start` and Node.js set these themselves.
  const internal = ["NODE_ENV", "SLIPWAY_LOCAL"];
  const names = settingsOf(example).flatMap(({ defaults }) => defaults.map(([name]) => name));
  const expected = SETTING_NAMES.filter((name) => !internal.includes(name));
  expect(
    names.filter((name) => !expected.includes(name)),
    "not a setting of lib/kernel/env.ts",
  ).toEqual([]);
  expect(
    expected.filter((name) => !names.includes(name)),
    "missing in .env.example",
  ).toEqual([]);
});

it("each setting of .env.example is explained, in sentences", () => {
  const settings = settingsOf(example);
  expect(settings.length).toBeGreaterThan(30);
  for (const { defaults, explanation } of settings) expect(explanation, defaults.join()).toMatch(/[.)]$/);
});

it("a secret that can be in a file is named where the file of settings names it", () => {
  const named = /This is possible for ([\s\S]*?)\. Set either/.exec(example.replaceAll(/\n# ?/g, " "))?.[1] ?? "";
  const names = named.match(/[A-Z][A-Z0-9_]+/g) ?? [];
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(read("docs/operations/settings.md")).toContain(`\`${name}\``);
});
