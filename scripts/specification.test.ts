import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BAD_INPUT, SPECIFICATION } from "../e2e/specification";
import { projectDir } from "./lib/files.mjs";

/** Titles of tests and groups in the source of a file, as its own literals: `a failure on ${name}`, `is 413: %i bytes`. */
const TITLE = /(?:\b(?:test|kept|it|describe)(?:\.\w+)*|\))\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
const VARIABLE = /\$\{[^}]*\}|%[sij#]/;

/** The source of a test file, followed by those of the fixtures that it imports. */
function withFixtures(path: string, source: string): string {
  const fixtures = [...source.matchAll(/from "(\.\/fixtures\/[\w-]+)"/g)].map(([, name]) =>
    join(dirname(path), `${name}.ts`),
  );
  return [source, ...fixtures.filter(existsSync).map((file) => readFileSync(file, "utf8"))].join("\n");
}

/** Whether a title of a source begins with a text, where the values of its variables are among `values`. */
function hasTitle(source: string, values: string, text: string): boolean {
  return [...source.matchAll(TITLE)].some(([, , title = ""]) => {
    const [head = "", next] = title.replaceAll("\\", "").split(VARIABLE);
    if (head.startsWith(text)) return true;
    if (next === undefined || !text.startsWith(head)) return false;
    // The value of the variable ends where the text does, or where the title goes on.
    const ends = Array.from({ length: text.length - head.length }, (_, index) => head.length + index + 1);
    return ends.some((end) => {
      const [value, rest] = [text.slice(head.length, end), text.slice(end)];
      const goesOn = next.startsWith(rest) || (next !== "" && rest.startsWith(next));
      return goesOn && ['"', "'", "`"].some((quote) => values.includes(`${quote}${value}${rest === "" ? "" : quote}`));
    });
  });
}

describe("the table of the specification", () => {
  const rows = [
    ...SPECIFICATION.map(({ section, rule, tests }) => [`section ${section}: ${rule}`, tests] as const),
    ...BAD_INPUT.map(({ input, tests }) => [`bad input: ${input}`, tests] as const),
  ];
  it.each(rows)("the tests of «%s» exist", (_row, tests) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, title] of tests) {
      const path = join(projectDir, file);
      expect(existsSync(path), file).toBe(true);
      expect(title).toMatch(/\S/);
      const source = readFileSync(path, "utf8");
      expect(hasTitle(source, withFixtures(path, source), title), `${file}: ${title}`).toBe(true);
    }
  });

  it("names each section, and no rule twice", () => {
    expect(new Set(SPECIFICATION.map(({ section }) => section))).toEqual(new Set(["2", "4", "5", "8", "9"]));
    const rules = SPECIFICATION.map(({ section, rule }) => `${section} ${rule}`);
    expect(new Set(rules).size).toBe(rules.length);
  });
});
