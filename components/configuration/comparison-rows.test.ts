import { expect, it } from "vitest";
import { isCopyable, isDifference, toComparedRows, withComparison } from "./comparison-rows";

const cell = (state: "set" | "inactive" | "missing", more: object = {}) => ({ environmentId: "e", state, ...more });

const rowOf = (from: ReturnType<typeof cell>, to: ReturnType<typeof cell>) => {
  const [row] = toComparedRows([{ key: "K", name: "K", cells: [from, to] }]);
  if (!row) throw new Error("no row");
  return row;
};

it.each([
  [cell("set", { same: true }), cell("set", { same: false }), true, true],
  [cell("set", { same: true }), cell("set", { same: true }), false, false],
  [cell("set", { same: true }), cell("inactive", { same: true }), true, false],
  [cell("set", { same: true }), cell("missing"), true, true],
  [cell("missing"), cell("set", { same: true }), true, false],
  [cell("set"), cell("set"), true, true],
])("%j beside %j is a difference: %j, and can be copied: %j", (from, to, difference, copyable) => {
  const row = rowOf(from, to);
  expect([isDifference(row), isCopyable(row)]).toEqual([difference, copyable]);
});

it("knows of secrets whether they are the same once they have been compared", () => {
  const differs = new Map([["K", false]]);
  expect(withComparison(rowOf(cell("set"), cell("set")), differs).same).toBe(true);
  expect(withComparison(rowOf(cell("set"), cell("set")), new Map()).same).toBeUndefined();
  expect(withComparison(rowOf(cell("set"), cell("missing")), differs).same).toBeUndefined();
});

it.each([
  ["short", "short", true],
  ["first\nsecond", "first", false],
  ["x".repeat(200), "x".repeat(120), false],
  ["", "", true],
])("shows of %j its beginning on one line", (value, text, isWhole) => {
  expect(rowOf(cell("set", { value }), cell("missing")).from).toMatchObject({ text, isWhole });
});
