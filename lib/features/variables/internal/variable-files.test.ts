import { execFileSync } from "node:child_process";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VARIABLE_FORMATS } from "@/lib/features/variables/schema";
import { formatVariables, parseVariables } from "./variable-files";

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,20}$/);
/** Texts of signs that have a meaning in some format. */
const value = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."'\"`\\$#= \t\n\r:-{}[]&*!|>%@a1é😀\u2028"), maxLength: 30 }),
  fc.constantFrom("true", "null", "~", "1.10", "0x1F", "2026-11-22", "<<", "---", "...", "#", " ", "\n", "\ufeff"),
);
const storable = value.filter((text) => !text.includes("\0") && text.isWellFormed());

const comment = (reader: string, keys: string) => `${reader}: ${keys}`;

const values = (format: "dotenv" | "json" | "yaml", text: string) =>
  parseVariables(format, text).entries.map(({ key, value }) => [key, value]);
const issues = (format: "dotenv" | "json" | "yaml", text: string) =>
  parseVariables(format, text).issues.map(({ line, code }) => [line, code]);

describe.each(VARIABLE_FORMATS)("%s", (format) => {
  it("reads what it writes, whatever the values hold", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ key, value: storable }), { selector: (entry) => entry.key }),
        (entries) => {
          const parsed = parseVariables(format, formatVariables(format, entries, comment));
          expect(parsed.issues).toEqual([]);
          expect(parsed.entries.map(({ key, value }) => ({ key, value }))).toEqual(entries);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("reads or refuses any text, and names lines that it has", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.array(value).map((parts) => parts.join("A=")),
        ),
        (text) => {
          const { entries, issues: found } = parseVariables(format, text);
          const lines = text.split(/\r\n|\r|\n/).length;
          for (const { line } of [...entries, ...found]) {
            expect(line).toBeGreaterThanOrEqual(1);
            expect(line).toBeLessThanOrEqual(lines);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a .env file", () => {
  it.each([
    ["A=1", [["A", "1"]]],
    [
      "\uFEFFA=1\r\nB=2\r\n",
      [
        ["A", "1"],
        ["B", "2"],
      ],
    ],
    [
      "export A=1\n  export\tB = two words  \n",
      [
        ["A", "1"],
        ["B", "two words"],
      ],
    ],
    [
      "# comment\n\n   # another\nA=1 # after\nB=a#b\nC=#all\n",
      [
        ["A", "1"],
        ["B", "a#b"],
        ["C", ""],
      ],
    ],
    [
      "A=\nB=''\nC=\"\"\n",
      [
        ["A", ""],
        ["B", ""],
        ["C", ""],
      ],
    ],
    [
      `A='$HOME "x" \\n' # why\nB=\`it's\``,
      [
        ["A", '$HOME "x" \\n'],
        ["B", "it's"],
      ],
    ],
    [String.raw`A="a\nb\t\"\\\$\x"`, [["A", 'a\nb\t"\\$\\x']]],
    [
      'KEY="-----BEGIN\r\n# not a comment\r\n-----END"\nB=1',
      [
        ["KEY", "-----BEGIN\r\n# not a comment\r\n-----END"],
        ["B", "1"],
      ],
    ],
    [
      "A=b=c\nurl=https://x.y/?a=b&c",
      [
        ["A", "b=c"],
        ["url", "https://x.y/?a=b&c"],
      ],
    ],
  ])("%j has the values that a shell would give it", (text, expected) => {
    expect([values("dotenv", text), issues("dotenv", text)]).toEqual([expected, []]);
  });

  it("names each line that it cannot read, and counts those of long values", () => {
    const text = [
      "A='one",
      "two'",
      "no assignment",
      "B='x' y",
      "9=1",
      "=1",
      "A=again",
      "C='never closed",
      "D=1",
      'E="line',
      'break" left over',
    ].join("\n");
    expect(issues("dotenv", text)).toEqual([
      [3, "syntax"],
      [4, "afterQuote"],
      [5, "key"],
      [6, "syntax"],
      [7, "duplicate"],
      [8, "unclosedQuote"],
      [11, "afterQuote"],
    ]);
  });

  it.each([
    ["BAD KEY=1", "BAD KEY"],
    ["  export BAD KEY = 1", "BAD KEY"],
    ["A#B=1", "A#B"],
  ])("takes what stands before = in %j for the key that is wrong", (line, key) => {
    expect(parseVariables("dotenv", line).issues).toEqual([{ line: 1, code: "key", key }]);
  });

  it("ends its lines with LF, CR LF or CR", () => {
    expect(values("dotenv", "A=1\rB='x' # why\rno assignment\r\nC=2\n\rD=3")).toEqual([
      ["A", "1"],
      ["B", "x"],
      ["C", "2"],
      ["D", "3"],
    ]);
    expect(issues("dotenv", "A=1\rB='x'\rno assignment\r\nC=2")).toEqual([[3, "syntax"]]);
  });

  it("is read alike by Node.js, but for the variables that its comment names", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ key, value: storable }), { selector: (entry) => entry.key, maxLength: 5 }),
        (entries) => {
          const text = formatVariables("dotenv", entries, comment);
          const named = /^# Node\.js: (.*)$/m.exec(text)?.[1]?.split(", ") ?? [];
          const read = parseEnv(text);
          const misread = entries.filter(({ key, value }) => read[key] !== value).map(({ key }) => key);
          // A value that is misread may end later, and take others with it.
          expect(named.length > 0 || misread.length === 0, text).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ["it's", []],
    ["it's $5", ["Node.js", "python-dotenv"]],
    ['{"a": "it\'s"}', ["Node.js"]],
    ['{"a": "b"}', []],
    ["C:\\", ["python-dotenv"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in a .env file
    ["${HOME}", ["python-dotenv"]],
    ["a\r\nb", ["Node.js", "sh"]],
  ])("names the programs that misread %j", (value, misreaders) => {
    const text = formatVariables("dotenv", [{ key: "A", value }], comment);
    expect([...text.matchAll(/^# (.*): A$/gm)].map(([, reader]) => reader)).toEqual(misreaders);
    if (misreaders.includes("sh")) return;
    const script = `${text}printf %s "$A"`;
    expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe(value);
  });

  it("is limited in its values and keys", () => {
    expect(issues("dotenv", `A=${"x".repeat(65_536)}\nB=${"x".repeat(65_537)}`)).toEqual([[2, "tooLong"]]);
    expect(issues("dotenv", `${"K".repeat(129)}=1`)).toEqual([[1, "key"]]);
    expect(issues("dotenv", "A=\0")).toEqual([[1, "characters"]]);
    const many = Array.from({ length: 10_001 }, (_, index) => `K${index}=1`).join("\n");
    expect(issues("dotenv", many)).toEqual([[10_001, "tooMany"]]);
  });
});

describe("a YAML file", () => {
  it("is a mapping of keys to texts as they are written", () => {
    const text = 'A: 1.10\nB: yes\nC: null\nD:\nE: \'x: y\'\nF: |\n  two\n  lines\n"G": "\\u00e9"\n';
    expect(values("yaml", text)).toEqual([
      ["A", "1.10"],
      ["B", "yes"],
      ["C", "null"],
      ["D", ""],
      ["E", "x: y"],
      ["F", "two\nlines\n"],
      ["G", "é"],
    ]);
    expect(issues("yaml", text)).toEqual([]);
  });

  it("is refused by line where it is nested, repeated, tagged, an alias, several documents or no mapping", () => {
    expect(issues("yaml", "A: 1\nB:\n  C: 1\nD: [1]")).toEqual([
      [2, "nested"],
      [4, "nested"],
    ]);
    expect(issues("yaml", "A: 1\nA: 2")).toEqual([[2, "duplicate"]]);
    expect(issues("yaml", "A: &x 1\nB: *x")).toContainEqual([2, "unsupported"]);
    expect(issues("yaml", "A: 1\nB: !!binary aGk=")).toContainEqual([2, "unsupported"]);
    expect(issues("yaml", "A: 1\n---\nB: 2").length).toBeGreaterThan(0);
    expect(issues("yaml", "- A")).toEqual([[1, "noMapping"]]);
    expect(issues("yaml", "just text")).toEqual([[1, "noMapping"]]);
    expect(issues("yaml", "A: 1\nB: 'open")[0]?.[1]).toBe("syntax");
    expect(issues("yaml", "? [a]\n: 1")).toEqual([[1, "key"]]);
    expect(values("yaml", "# only a comment\n")).toEqual([]);
  });

  it("does not grow by its aliases", () => {
    const bomb = ["a: &a x", ...Array.from({ length: 10 }, (_, n) => `k${n}: [${"*a, ".repeat(40)}*a]`)].join("\n");
    expect(parseVariables("yaml", bomb).issues.length).toBeGreaterThan(0);
  });
});

describe("a JSON file", () => {
  it("is an object of texts, numbers and booleans, which count as they are written", () => {
    const text = '\uFEFF{\n\t"A": "x\\n\\ud83d\\ude00",\n\t"B": 1.10,\n\t"C": true, "D": "" }';
    expect(values("json", text)).toEqual([
      ["A", "x\n😀"],
      ["B", "1.10"],
      ["C", "true"],
      ["D", ""],
    ]);
    expect(issues("json", text)).toEqual([]);
  });

  it("is refused by line where it is no JSON, nested, null, repeated or no object", () => {
    expect(issues("json", '{\n"A": 1,\n}')).toEqual([[3, "syntax"]]);
    expect(issues("json", '{"A": ')).toEqual([[1, "syntax"]]);
    expect(issues("json", "{A: 1}")).toEqual([[1, "syntax"]]);
    expect(issues("json", '{\n"A": {},\n"B": [1],\n"C": null}')).toEqual([
      [2, "nested"],
      [3, "nested"],
      [4, "nested"],
    ]);
    expect(issues("json", '{"A": "1",\n"A": "2"}')).toEqual([[2, "duplicate"]]);
    expect(issues("json", "[1]")).toEqual([[1, "noMapping"]]);
    expect(issues("json", '{"A": "\\ud800"}')).toEqual([[1, "characters"]]);
    expect(issues("json", '{"A b": "1"}')).toEqual([[1, "key"]]);
    expect(issues("json", '{"__proto__": "1"}')).toEqual([]);
  });
});
