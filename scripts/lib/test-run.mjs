import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import { tsImport } from "tsx/esm/api";
import { buildServer } from "./build.mjs";
import { runLive, runQuietly } from "./children.mjs";
import { findChromium } from "./chromium.mjs";
import { formatDuration, lastLines, StepError, step } from "./console.mjs";
import { resolveDataDir } from "./data-dir.mjs";
import { generateClient } from "./database-client.mjs";
import { projectDir } from "./files.mjs";
import {
  addFlaky,
  countPlaywright,
  explainFlaky,
  explainSkipped,
  isGood,
  noCounts,
  oftenFlaky,
  sumCounts,
  summaryLine,
  withExit,
} from "./test-counts.mjs";
import { findUnshown, isSlow, resultsOfPlaywright, testsOf } from "./witnesses.mjs";

/**
 * @typedef {import("./test-counts.mjs").Counts} Counts
 * @typedef {import("./witnesses.mjs").TestResult} TestResult
 * @typedef {import("./children.mjs").SignalWatch} SignalWatch
 */

const partNames = /** @type {const} */ (["checks", "unit", "e2e"]);
/** How often each end-to-end test was flaky. A line is removed by hand when its test is mended. */
const flakyFile = join(projectDir, "node_modules", ".cache", "slipway-flaky-tests.json");

/** Checks, each of which is one program that exits with 0 or prints what is wrong. */
const checks = [
  { title: "Types", program: "tsc", args: ["--noEmit", "--pretty", "false"] },
  { title: "Lint", program: "biome", args: ["ci", "--colors=off", "--max-diagnostics=50", "."] },
  { title: "Structure", program: "node", args: ["scripts/structure.mjs"] },
  { title: "Texts", program: "node", args: ["scripts/messages.mjs"] },
  { title: "Migrations", program: "tsx", args: ["scripts/migration.ts", "--check"] },
];

/**
 * Runs all tests, or the slow ones, and prints a summary as the last line.
 *
 * @param {string[]} args any number of `--only checks|unit|e2e`; `--slow` for the slow tests, which have no checks
 * @param {SignalWatch} signals
 * @returns {Promise<number>} the exit code
 */
export async function runTests(args, signals) {
  const begin = performance.now();
  const { values } = parseArgs({
    args,
    options: { only: { type: "string", multiple: true }, slow: { type: "boolean", default: false } },
  });
  const { slow } = values;
  const known = partNames.filter((name) => !slow || name !== "checks");
  const wanted = values.only ?? known;
  const unknown = wanted.find((name) => !known.some((one) => one === name));
  if (unknown) throw new StepError(`There is no part "${unknown}"; there are ${known.join(", ")}.`);

  // The temporary folder of the tests. It is removed at the end, with files that a killed process could not remove.
  const reports = mkdtempSync(join(tmpdir(), "slipway-test-"));
  // If root runs the tests, PostgreSQL runs under another account, which must be able to enter the folder.
  chmodSync(reports, 0o711);
  process.env.TMPDIR = reports;
  // vitest.config.ts and playwright.config.ts select their tests by it.
  if (slow) process.env.SLIPWAY_TESTS = "slow";
  else delete process.env.SLIPWAY_TESTS;
  try {
    await step("Client", generateClient);
    signals.throwIfInterrupted();
    // On a new machine it is downloaded and built, which the checks need not wait for.
    const s3Server = wanted.includes("unit") ? findS3Server() : Promise.resolve("");
    s3Server.catch(() => {});
    /** @type {Counts[]} */
    const parts = [];
    if (wanted.includes("checks")) parts.push(await runChecks(signals));
    // After the checks, since it writes types that the first of them reads. Beside the unit tests, which wait for timers and disks.
    const build = wanted.includes("e2e") ? beginBuild() : undefined;
    const unit = wanted.includes("unit") && (await runUnit(s3Server, join(reports, "unit.json"), signals));
    if (unit) parts.push(unit.counts);
    const endToEnd = build && (await runEndToEnd(build, join(reports, "e2e.json"), signals));
    if (endToEnd) parts.push(endToEnd.counts);
    if (unit && endToEnd) parts.push(await checkSpecification(unit.results, endToEnd.results, slow));
    if (endToEnd?.results) parts.push(rememberFlaky(endToEnd.counts.flaky, slow));
    const sum = sumCounts(parts);
    console.log(`\nTook ${formatDuration(performance.now() - begin)}.`);
    for (const line of [...explainSkipped(sum.skipped), ...explainFlaky(sum.flaky)]) console.log(line);
    console.log(summaryLine(sum));
    return isGood(sum) ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

/**
 * Runs all checks at the same time.
 *
 * @param {SignalWatch} signals
 * @returns {Promise<Counts>}
 */
async function runChecks(signals) {
  const counts = noCounts();
  const begin = performance.now();
  const running = checks.map(({ title, program, args }) => {
    const options = { cwd: projectDir, shell: process.platform === "win32" };
    const result = runQuietly([program, ...args].join(" "), program, args, options, (output) => lastLines(output, 200));
    result.catch(() => {});
    return { title, result };
  });
  for (const { title, result } of running) {
    await countStep(counts, title, () => result, begin);
    signals.throwIfInterrupted();
  }
  return counts;
}

/**
 * Runs a step that counts as one test.
 *
 * @param {Counts} counts
 * @param {string} title
 * @param {(report: (detail: string) => void) => Promise<unknown>} work
 * @param {number} [start] when the work began, if before this call
 * @returns {Promise<boolean>} whether it passed
 */
async function countStep(counts, title, work, start) {
  try {
    await step(title, work, start);
    counts.passed += 1;
    return true;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    counts.failed += 1;
    console.error(`\n${error.message}\n`);
    return false;
  }
}

/**
 * @param {Promise<string>} s3Server as returned by {@link findS3Server}
 * @param {string} reportFile
 * @param {SignalWatch} signals
 * @returns {Promise<{ counts: Counts, results: TestResult[] }>}
 */
async function runUnit(s3Server, reportFile, signals) {
  await step("S3 server", async (report) => report(await s3Server));
  signals.throwIfInterrupted();
  console.log("\nUnit and integration tests");
  const succeeded = await runLive(
    "vitest",
    ["run", "--reporter=dot", "--reporter=./scripts/vitest-counts-reporter.ts"],
    {
      cwd: projectDir,
      env: { ...process.env, SLIPWAY_TEST_COUNTS: reportFile },
      endSignal: "SIGINT",
    },
  );
  signals.throwIfInterrupted();
  const report = readReport(reportFile);
  return { counts: withExit(report?.counts, succeeded), results: report?.results ?? [] };
}

/** @returns {Promise<string>} the S3 server of the tests, which is built if necessary, or the reason why there is none */
async function findS3Server() {
  if (process.env.S3_TEST_ENDPOINT) return process.env.S3_TEST_ENDPOINT;
  /** @type {typeof import("../versitygw.ts")} */
  const { findVersitygw, NoS3Server } = await tsImport("../versitygw.ts", import.meta.url);
  try {
    return await findVersitygw();
  } catch (error) {
    if (error instanceof NoS3Server) return `none: ${error.message}`;
    throw error;
  }
}

/**
 * @typedef {object} Build
 * @property {number} start by `performance.now()`
 * @property {Promise<string>} result what was done
 */

/** @returns {Build} */
function beginBuild() {
  let detail = "";
  const report = (/** @type {string} */ text) => {
    detail = text;
  };
  const start = performance.now();
  const result = buildServer(resolveDataDir(process.env), report).then(
    () => `${detail} in ${formatDuration(performance.now() - start)}`,
  );
  result.catch(() => {});
  return { start, result };
}

/**
 * @param {Build} build
 * @param {string} reportFile
 * @param {SignalWatch} signals
 * @returns {Promise<{ counts: Counts, results?: TestResult[] }>} without results if the tests could not be started
 */
async function runEndToEnd(build, reportFile, signals) {
  const counts = noCounts();
  const built = await countStep(counts, "Build", async (report) => report(await build.result));
  signals.throwIfInterrupted();
  if (!built) {
    return { counts: sumCounts([counts, await skipEndToEnd("the build failed")]) };
  }
  const chromium = await step("Chromium", findChromium);
  signals.throwIfInterrupted();
  if ("missing" in chromium) return { counts: sumCounts([counts, await skipEndToEnd(chromium.missing)]) };
  console.log("\nEnd-to-end tests");
  const succeeded = await runLive("playwright", ["test", "--config", "e2e/playwright.config.ts"], {
    cwd: projectDir,
    env: { ...process.env, SLIPWAY_CHROMIUM: chromium.path, SLIPWAY_TEST_REPORT: reportFile },
    endSignal: "SIGINT",
  });
  signals.throwIfInterrupted();
  const report = readReport(reportFile);
  return {
    counts: sumCounts([counts, withExit(report && countPlaywright(report), succeeded)]),
    results: report ? resultsOfPlaywright(report, "e2e") : [],
  };
}

/**
 * Checks that each row of the specification was shown: all tests that its table names ran and passed. A part of the tests
 * alone cannot say that. Of the tests that a row names, each run shows its own; `specification.test.ts` checks that the others exist.
 *
 * @param {TestResult[]} unit
 * @param {TestResult[] | undefined} endToEnd
 * @param {boolean} slow whether these are the slow tests
 * @returns {Promise<Counts>}
 */
async function checkSpecification(unit, endToEnd, slow) {
  const title = "Specification";
  const counts = noCounts();
  if (!endToEnd) return { ...counts, skipped: [{ name: title, why: "the end-to-end tests could not be started" }] };
  /** @type {typeof import("../../e2e/specification.ts")} */
  const { BAD_INPUT, SPECIFICATION } = await tsImport("../../e2e/specification.ts", import.meta.url);
  const results = [...unit, ...endToEnd];
  await countStep(counts, title, async (report) => {
    const others = resultsOfPlaywright(await listEndToEnd(!slow), "e2e");
    const rows = [
      ...SPECIFICATION.map(({ section, rule, tests }) => ({ row: `section ${section}, ${rule}`, tests })),
      ...BAD_INPUT.map(({ input, tests }) => ({ row: `bad input, ${input}`, tests })),
    ];
    // The other run has all unit tests of a file, and those of the end-to-end tests that it lists.
    const known = rows.map(({ row, tests }) => ({
      row,
      tests: tests.filter(([file]) => file.startsWith("e2e/") || isSlow(file) === slow),
      elsewhere: tests.some(([file]) => !file.startsWith("e2e/") && isSlow(file) !== slow),
    }));
    const unshown = known.flatMap(({ row, tests }) =>
      findUnshown(tests, results, others).map((problem) => `${row}\n    ${problem}`),
    );
    if (unshown.length > 0)
      throw new StepError(`Rows of the specification were not shown:\n\n  ${unshown.join("\n  ")}`);
    const own = known.filter(({ tests }) => tests.some((test) => testsOf(test, results).length > 0)).length;
    const left = known.filter(
      ({ tests, elsewhere }) => elsewhere || tests.some((test) => testsOf(test, others).length > 0),
    ).length;
    report(`${own} rows shown${!slow && left > 0 ? `, ${left} shown by test:slow` : ""}`);
  });
  return counts;
}

/**
 * Keeps the names of flaky tests. A test that was flaky in two runs fails the run of the slow tests.
 *
 * @param {string[]} flaky the flaky tests of this run
 * @param {boolean} slow whether this is the run of the slow tests
 * @returns {Counts}
 */
function rememberFlaky(flaky, slow) {
  const known = addFlaky(readReport(flakyFile) ?? {}, flaky);
  mkdirSync(dirname(flakyFile), { recursive: true });
  writeFileSync(flakyFile, `${JSON.stringify(known, null, 2)}\n`);
  const often = slow ? oftenFlaky(known) : [];
  for (const name of often) {
    console.error(
      `Flaky in ${known[name]} runs: ${name}. Mend it and remove it from ${relative(projectDir, flakyFile)}.`,
    );
  }
  return { ...noCounts(), failed: often.length };
}

/**
 * @param {string} why
 * @returns {Promise<Counts>} all end-to-end tests, counted as skipped
 */
async function skipEndToEnd(why) {
  const listed = countPlaywright(await listEndToEnd(process.env.SLIPWAY_TESTS === "slow"));
  return { ...noCounts(), skipped: listed.skipped.map(({ name }) => ({ name, why })) };
}

/**
 * Lists the end-to-end tests without running them.
 *
 * @param {boolean} slow whether those of the slow run
 * @returns {Promise<import("./test-counts.mjs").PlaywrightReport>}
 */
async function listEndToEnd(slow) {
  const args = ["test", "--config", "e2e/playwright.config.ts", "--list", "--reporter=json"];
  const { stdout } = await promisify(execFile)("playwright", args, {
    cwd: projectDir,
    env: { ...process.env, SLIPWAY_TESTS: slow ? "slow" : "" },
    shell: process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
