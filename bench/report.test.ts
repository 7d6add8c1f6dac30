import { expect, it } from "vitest";
import { compared, failed, median, missedFirst, quantile, toTable } from "./report";

it("formats rows as an aligned Markdown table", () => {
  const row = { what: "upload", measured: "5.00 s", reference: "4.00 s", ratio: 1.25, goal: "at most 1.3", met: true };
  expect(toTable([row, { ...row, what: "x", reference: null, ratio: null, met: false }])).toBe(
    [
      "| what   | measured | reference | ratio | goal        | met |",
      "|--------|----------|-----------|-------|-------------|-----|",
      "| upload | 5.00 s   | 4.00 s    | 1.25  | at most 1.3 | yes |",
      "| x      | 5.00 s   |           |       | at most 1.3 | NO  |",
    ].join("\n"),
  );
});

it("returns the median and quantiles of values", () => {
  expect(median([3, 1, 2])).toBe(2);
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantile(hundred, 0.95)).toBe(95);
  expect(quantile([7], 0.95)).toBe(7);
});

it("judges a goal by the ratio to the reference, at most or at least", () => {
  const values = { measured: 30, reference: 20, of: "bare", format: (value: number) => `${value} ms` };
  expect(compared("x", { ...values, goal: { most: 1.5 } })).toEqual({
    ...{ what: "x", measured: "30 ms", reference: "20 ms bare", ratio: 1.5, goal: "at most 1.5 ×", met: true },
  });
  expect(compared("x", { ...values, goal: { most: 1.4 } }).met).toBe(false);
  expect(compared("x", { ...values, goal: { least: 1.6 } })).toMatchObject({ goal: "at least 1.6 ×", met: false });
});

it("puts what is missed first", () => {
  const rows = [null, true, false, null, false].map((met, index) => ({ ...failed(String(index), ""), met }));
  expect(missedFirst(rows).map(({ what }) => what)).toEqual(["2", "4", "0", "1", "3"]);
});

it("reports the first line of an error", () => {
  expect(failed("lists", new Error("offline\nat somewhere"))).toMatchObject({
    measured: "failed: Error: offline",
    met: false,
  });
});
