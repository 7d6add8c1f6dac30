/**
 * The result of one test.
 *
 * @typedef {object} TestResult
 * @property {string} file relative to the project
 * @property {string[]} titles of its groups from the outside in, and its own
 * @property {boolean} passed false if it failed, was skipped or did not run
 */

/**
 * A test that shows a rule: its file, and the beginning of its title or of the title of one of its groups. Several tests may
 * match.
 *
 * @typedef {readonly [file: string, title: string]} Witness
 */

/**
 * Lists the results of a Playwright run. A flaky test has passed.
 *
 * @param {import("./test-counts.mjs").PlaywrightReport} report
 * @param {string} testDir the folder of its files, relative to the project
 * @returns {TestResult[]}
 */
export function resultsOfPlaywright(report, testDir) {
  /** @type {TestResult[]} */
  const results = [];
  const visit = (
    /** @type {import("./test-counts.mjs").PlaywrightSuite} */ suite,
    /** @type {string} */ file,
    /** @type {string[]} */ groups,
  ) => {
    for (const inner of suite.suites ?? []) visit(inner, file, [...groups, inner.title]);
    for (const { title, tests } of suite.specs ?? []) {
      results.push({
        file,
        titles: [...groups, title],
        passed: tests.every(({ status }) => status === "expected" || status === "flaky"),
      });
    }
  };
  // The outermost suites are the files.
  for (const suite of report.suites ?? []) visit(suite, `${testDir}/${suite.title}`, []);
  return results;
}

/**
 * Finds the tests of a witness.
 *
 * @param {Witness} witness
 * @param {readonly TestResult[]} results
 */
export function testsOf([file, title], results) {
  return results.filter((result) => result.file === file && result.titles.some((one) => one.startsWith(title)));
}

/**
 * Says what is wrong with the witnesses of a rule.
 *
 * @param {readonly Witness[]} witnesses
 * @param {readonly TestResult[]} results of a whole run
 * @param {readonly TestResult[]} [others] the tests that the other run has, the slow one or `npm test`
 * @returns {string[]} one line for each witness that no run has, and for each of its tests that did not pass
 */
export function findUnshown(witnesses, results, others = []) {
  return witnesses.flatMap((witness) => {
    const [file, title] = witness;
    const matching = testsOf(witness, results);
    if (matching.length === 0 && testsOf(witness, others).length === 0) return [`${file}: "${title}" did not run`];
    return matching
      .filter(({ passed }) => !passed)
      .map(({ titles }) => `${file}: "${titles.join(" > ")}" did not pass`);
  });
}

/** The tag of end-to-end tests that `npm run test:slow` runs and `npm test` does not, in files that have others too. */
export const SLOW_TAG = "@slow";

/** Matches the file or the tags of slow end-to-end tests. */
export const SLOW_TESTS = new RegExp(`\\.slow\\.spec\\.ts|${SLOW_TAG}\\b`);

/**
 * Whether a test file is slow, so that `npm run test:slow` runs it and `npm test` does not.
 *
 * @param {string} file
 * @returns {boolean}
 */
export function isSlow(file) {
  return /\.slow\.(test|spec)\.tsx?$/.test(file);
}
