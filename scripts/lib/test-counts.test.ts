import { describe, expect, it } from "vitest";
import {
  addFlaky,
  countPlaywright,
  explainFlaky,
  explainSkipped,
  isGood,
  oftenFlaky,
  sumCounts,
  summaryLine,
  withExit,
} from "./test-counts.mjs";

const skip = (name: string, why: string) => ({ name, why });

describe("the last line of a run", () => {
  it("has the sums of all parts", () => {
    const sum = sumCounts([
      { passed: 3, failed: 0, skipped: [], flaky: ["x"] },
      { passed: 4, failed: 2, skipped: [skip("a", "b")], flaky: ["y"] },
    ]);
    expect(summaryLine(sum)).toBe("7 passed, 2 failed, 1 skipped");
    expect(sum.flaky).toEqual(["x", "y"]);
    expect(summaryLine({ passed: 7, failed: 0, skipped: [], flaky: ["x"] })).toBe("7 passed, 0 failed");
  });
});

describe("a run", () => {
  it("is good only if no test failed and at least one passed", () => {
    expect(isGood({ passed: 1, failed: 0, skipped: [], flaky: ["x"] })).toBe(true);
    expect(isGood({ passed: 9, failed: 1, skipped: [], flaky: [] })).toBe(false);
    expect(isGood({ passed: 0, failed: 0, skipped: [skip("a", "b")], flaky: [] })).toBe(false);
  });

  it("that exited with an error has failed, even if its report has no failure", () => {
    const counts = { passed: 5, failed: 0, skipped: [], flaky: [] };
    expect(withExit(counts, true)).toEqual(counts);
    expect(withExit(counts, false).failed).toBe(1);
    expect(withExit({ ...counts, failed: 3 }, false).failed).toBe(3);
  });

  it("without a report has failed, even if it exited with 0", () => {
    expect(withExit(undefined, true)).toEqual({ passed: 0, failed: 1, skipped: [], flaky: [] });
  });
});

describe("a report of Playwright", () => {
  const suite = {
    title: "sign-in.spec.ts",
    specs: [{ title: "opens", tests: [{ status: "expected" as const }, { status: "unexpected" as const }] }],
    suites: [
      {
        title: "with a passkey",
        specs: [
          { title: "flickers", tests: [{ status: "flaky" as const }] },
          {
            title: "works",
            tests: [
              { status: "skipped" as const, annotations: [{ type: "skip", description: "no authenticator" }] },
              { status: "skipped" as const, annotations: [{ type: "skip" }] },
              { status: "skipped" as const, results: [{ status: "interrupted" }] },
            ],
          },
        ],
      },
    ],
  };

  it("is counted test by test at any depth; a flaky test has passed and is named", () => {
    expect(countPlaywright({ suites: [suite], errors: [] })).toEqual({
      passed: 2,
      failed: 1,
      flaky: ["sign-in.spec.ts > with a passkey > flickers"],
      skipped: [
        skip("sign-in.spec.ts > with a passkey > works", "no authenticator"),
        skip("sign-in.spec.ts > with a passkey > works", "no reason given"),
        skip("sign-in.spec.ts > with a passkey > works", "the run ended before it"),
      ],
    });
  });

  it("counts errors outside of tests", () => {
    expect(countPlaywright({ suites: [], errors: [{ message: "the server did not start" }] }).failed).toBe(1);
  });
});

describe("skipped tests", () => {
  it("are listed by reason, with up to three names", () => {
    const skipped = [..."abcd"].map((name) => skip(name, "no S3 server"));
    expect(explainSkipped([...skipped, skip("x", "not on this machine")])).toEqual([
      "4 skipped: no S3 server (a; b; c; and 1 more)",
      "1 skipped: not on this machine (x)",
    ]);
  });
});

describe("flaky tests", () => {
  it("are named, one in each line", () => {
    expect(explainFlaky(["a > b", "c"])).toEqual([
      "Flaky, failed and then passed: a > b",
      "Flaky, failed and then passed: c",
    ]);
  });

  it("are counted once for each run, and known as often flaky from the second run on", () => {
    const first = addFlaky({}, ["a", "a", "b"]);
    expect([first, oftenFlaky(first)]).toEqual([{ a: 1, b: 1 }, []]);
    expect(oftenFlaky(addFlaky(first, ["b"]))).toEqual(["b"]);
  });
});
