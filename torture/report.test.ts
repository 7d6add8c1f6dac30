import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Row, toWords, withRows } from "./report";

const row: Row = {
  what: "SIGKILL of the server",
  ran: "200 kills",
  measured: "5 | 6",
  problem: null,
  minutes: 3,
  seed: 7,
  commit: "abc",
  date: "2026-11-22",
};
const EMPTY = "before\n<!-- results: written by `npm run torture -- --write` -->\n<!-- end of results -->\nafter";

test("a row is added to the table, and the text around it stays", () => {
  const text = withRows(EMPTY, [row]);
  expect(text.startsWith("before\n") && text.endsWith("\nafter")).toBe(true);
  expect(text).toContain("| SIGKILL of the server | 200 kills | 5 \\| 6 | held | 3 | 7 | abc | 2026-11-22 |");
});

test("a row replaces the one about the same, and no other", () => {
  const other = { ...row, what: "soak" };
  const text = withRows(withRows(EMPTY, [row, other]), [{ ...row, problem: "lost a release" }]);
  expect(text.match(/SIGKILL of the server/g)).toHaveLength(1);
  expect(text).toContain("| lost a release |");
  expect(text).toContain("| soak |");
});

test("docs/reliability.md has the table", () => {
  const text = readFileSync(new URL("../docs/reliability.md", import.meta.url), "utf8");
  expect(withRows(text, [])).toBe(text);
});

test("a text without the table is refused", () => {
  expect(() => withRows("no table", [row])).toThrow("no table of results");
});

test("figures are written as words", () => {
  expect(toWords({ uploads: 1234, releases: 5 })).toBe("1,234 uploads, 5 releases");
});
