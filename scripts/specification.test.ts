import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SPECIFICATION } from "../e2e/specification";
import { projectDir } from "./lib/files.mjs";

describe("the table of the specification", () => {
  it.each(SPECIFICATION.map(({ section, rule, tests }) => [section, rule, tests] as const))(
    "section %s: the tests of «%s» exist",
    (_section, _rule, tests) => {
      expect(tests.length).toBeGreaterThan(0);
      for (const [file, title] of tests) {
        const path = join(projectDir, file);
        expect(existsSync(path), file).toBe(true);
        expect(readFileSync(path, "utf8").includes(title), `${file}: ${title}`).toBe(true);
      }
    },
  );

  it("names each section, and no rule twice", () => {
    expect(new Set(SPECIFICATION.map(({ section }) => section))).toEqual(new Set(["2", "4", "5", "8", "9"]));
    const rules = SPECIFICATION.map(({ section, rule }) => `${section} ${rule}`);
    expect(new Set(rules).size).toBe(rules.length);
  });
});
