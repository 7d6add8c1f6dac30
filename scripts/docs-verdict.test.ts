import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERDICT_RULES } from "@slipway/installers";
import { expect, it } from "vitest";
import { projectDir } from "./lib/files.mjs";

it("the README of the package lists each rule of the verdict, with its severities and its source", () => {
  const text = readFileSync(join(projectDir, "packages", "installers", "README.md"), "utf8");
  const rows = text.split("\n").filter((line) => /^\| `[a-z0-9_]+` \| (?:blocks|unknown|step|note)/.test(line));
  const expected = VERDICT_RULES.map(
    ({ code, severities, source }) => `| \`${code}\` | ${severities.join(", ")} | ${source} |`,
  );
  expect(rows).toEqual(expected);
});
