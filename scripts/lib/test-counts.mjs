/**
 * @typedef {{ name: string, why: string }} Skipped
 *
 * @typedef {object} Counts the result of a part of the tests
 * @property {number} passed
 * @property {number} failed
 * @property {Skipped[]} skipped
 * @property {string[]} flaky the tests that failed and then passed, which count as passed
 */

/**
 * @typedef {{ type: string, description?: string }} PlaywrightAnnotation
 * @typedef {{ title: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ title: string, suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 * @typedef {{ suites?: PlaywrightSuite[], errors?: unknown[] }} PlaywrightReport the output of its JSON reporter
 */

/**
 * @typedef {object} PlaywrightTest
 * @property {"expected" | "unexpected" | "flaky" | "skipped"} status
 * @property {PlaywrightAnnotation[]} [annotations]
 * @property {{ status?: string }[]} [results] one for each attempt
 */

/** @returns {Counts} */
export function noCounts() {
  return { passed: 0, failed: 0, skipped: [], flaky: [] };
}

/**
 * @param {Counts[]} parts
 * @returns {Counts}
 */
export function sumCounts(parts) {
  return {
    passed: parts.reduce((sum, { passed }) => sum + passed, 0),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
    skipped: parts.flatMap(({ skipped }) => skipped),
    flaky: parts.flatMap(({ flaky }) => flaky),
  };
}

/**
 * Counts the results of a Playwright run. A test that failed and passed when it was repeated is flaky and counts as passed. An
 * error outside of tests, such as one in the setup, counts as failed.
 *
 * @param {PlaywrightReport} report
 * @returns {Counts}
 */
export function countPlaywright(report) {
  const counts = noCounts();
  counts.failed += report.errors?.length ?? 0;
  const visit = (/** @type {PlaywrightSuite} */ suite, /** @type {string[]} */ path) => {
    for (const inner of suite.suites ?? []) visit(inner, [...path, inner.title]);
    for (const spec of suite.specs ?? []) {
      const name = [...path, spec.title].join(" > ");
      for (const { status, annotations = [], results = [] } of spec.tests) {
        if (status === "flaky") counts.flaky.push(name);
        if (status === "expected" || status === "flaky") counts.passed += 1;
        else if (status === "skipped") {
          const mark = annotations.find(({ type }) => type === "skip" || type === "fixme");
          const neverEnded = !mark && !results.some((result) => result.status === "skipped");
          const why = mark?.description ?? (neverEnded ? "the run ended before it" : "no reason given");
          counts.skipped.push({ name, why });
        } else counts.failed += 1;
      }
    }
  };
  for (const suite of report.suites ?? []) visit(suite, [suite.title]);
  return counts;
}

/**
 * Adds one failure if a test runner exited with an error or without a report, and its report has no failed test.
 *
 * @param {Counts | undefined} counts undefined if it wrote no report
 * @param {boolean} succeeded whether it exited with 0
 * @returns {Counts}
 */
export function withExit(counts, succeeded) {
  const known = counts ?? noCounts();
  const unreported = known.failed === 0 && (!succeeded || counts === undefined);
  return unreported ? { ...known, failed: 1 } : known;
}

/**
 * @param {Counts} counts
 * @returns {string} the last line of a run
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`;
}

/**
 * @param {Counts} counts
 * @returns {boolean} whether no test failed and at least one passed
 */
export function isGood({ passed, failed }) {
  return failed === 0 && passed > 0;
}

/**
 * @param {Skipped[]} skipped
 * @returns {string[]} one line for each reason, with the number and names of the tests
 */
export function explainSkipped(skipped) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const { name, why } of skipped) byReason.set(why, [...(byReason.get(why) ?? []), name]);
  return [...byReason].map(([why, names]) => {
    const shown = names.slice(0, 3).join("; ");
    return `${names.length} skipped: ${why} (${shown}${names.length > 3 ? `; and ${names.length - 3} more` : ""})`;
  });
}

/**
 * @param {string[]} flaky
 * @returns {string[]} one line for each test
 */
export function explainFlaky(flaky) {
  return flaky.map((name) => `Flaky, failed and then passed: ${name}`);
}

/**
 * Adds the flaky tests of a run to those of earlier runs.
 *
 * @param {Record<string, number>} earlier how often each test was flaky
 * @param {string[]} flaky
 * @returns {Record<string, number>}
 */
export function addFlaky(earlier, flaky) {
  const sum = { ...earlier };
  for (const name of new Set(flaky)) sum[name] = (sum[name] ?? 0) + 1;
  return sum;
}

/**
 * @param {Record<string, number>} known how often each test was flaky
 * @returns {string[]} the tests that were flaky in two runs or more
 */
export function oftenFlaky(known) {
  return Object.keys(known).filter((name) => (known[name] ?? 0) > 1);
}
