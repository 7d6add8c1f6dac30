import { describe, expect, it } from "vitest";
import { findUnshown, isSlow, resultsOfPlaywright, SLOW_TESTS } from "./witnesses.mjs";

const report = {
  suites: [
    {
      title: "tour.spec.ts",
      specs: [
        { title: "the tour starts", tests: [{ status: "expected" as const }] },
        { title: "the tour hides", tests: [{ status: "unexpected" as const }] },
        { title: "the tour ends", tests: [{ status: "skipped" as const }] },
        { title: "the tour flickers", tests: [{ status: "flaky" as const }] },
      ],
      suites: [
        {
          title: "an administrator",
          specs: [
            { title: "an administrator: light", tests: [{ status: "expected" as const }] },
            { title: "an administrator: dark", tests: [{ status: "expected" as const }] },
          ],
        },
      ],
    },
  ],
};

describe("the results of a run", () => {
  const results = resultsOfPlaywright(report, "e2e");

  it("show a rule if each test that matches its witnesses passed", () => {
    const witnesses = [
      ["e2e/tour.spec.ts", "the tour starts"],
      ["e2e/tour.spec.ts", "an administrator"],
      ["e2e/tour.spec.ts", "the tour flickers"],
    ] as const;
    expect(findUnshown(witnesses, results)).toEqual([]);
  });

  it.each([
    ["failed", "the tour hides"],
    ["was skipped", "the tour ends"],
  ])("do not show a rule whose test %s", (_, title) => {
    expect(findUnshown([["e2e/tour.spec.ts", title]], results)).toEqual([`e2e/tour.spec.ts: "${title}" did not pass`]);
  });

  it.each([
    ["of no test", "e2e/tour.spec.ts", "the tour ran"],
    ["of a test in another file", "e2e/tours.spec.ts", "the tour starts"],
    ["in the middle of a title", "e2e/tour.spec.ts", "tour starts"],
  ])("do not show a rule whose title is one %s", (_, file, title) => {
    expect(findUnshown([[file, title]], results)).toEqual([`${file}: "${title}" did not run`]);
  });

  it("leave a witness to the other run if that has it, and to no run if none has", () => {
    const others = [{ file: "e2e/tour.spec.ts", titles: ["the tour is long"], passed: false }];
    expect(findUnshown([["e2e/tour.spec.ts", "the tour is long"]], results, others)).toEqual([]);
    expect(findUnshown([["e2e/tour.spec.ts", "the tour ran"]], results, others)).toHaveLength(1);
    expect(findUnshown([["e2e/tour.spec.ts", "the tour hides"]], results, others)).toHaveLength(1);
  });

  it("do not show a rule of which one of several matching tests failed", () => {
    expect(findUnshown([["e2e/tour.spec.ts", "the tour"]], results)).toHaveLength(2);
  });
});

it.each([
  ["e2e/torture.slow.spec.ts", true],
  ["lib/backup/backup.slow.test.ts", true],
  ["lib/slow.test.ts", false],
])("%s is slow: %s", (file, slow) => {
  expect(isSlow(file)).toBe(slow);
});

it.each([
  ["journeys torture.slow.spec.ts a round", true],
  ["journeys screens.spec.ts the roles: no axe violation @slow", true],
  ["journeys screens.spec.ts the roles: no axe violation", false],
  ["journeys slow.spec.ts the page of slow networks", false],
])("the end-to-end test %s is slow: %s", (title, slow) => {
  expect(SLOW_TESTS.test(title)).toBe(slow);
});
