import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { tsImport } from "tsx/esm/api";
import { buildServer, generateClient } from "./build.mjs";
import { runLive, runQuietly } from "./children.mjs";
import { findChromium } from "./chromium.mjs";
import { formatDuration, lastLines, StepError, step } from "./console.mjs";
import { resolveDataDir } from "./data-dir.mjs";
import { projectDir } from "./files.mjs";
import { countPlaywright, explainSkipped, isGood, noCounts, sumCounts, summaryLine, withExit } from "./test-counts.mjs";
import { findUnshown, resultsOfPlaywright } from "./witnesses.mjs";

/**
 * @typedef {import("./test-counts.mjs").Counts} Counts
 * @typedef {import("./witnesses.mjs").TestResult} TestResult
 * @typedef {import("./children.mjs").SignalWatch} SignalWatch
 */

const partNames = /** @type {const} */ (["checks", "unit", "e2e"]);

/** Checks, each of which is one program that exits with 0 or prints what is wrong. */
const checks = [
  { title: "Types", program: "tsc", args: ["--noEmit", "--pretty", "false"] },
  { title: "Lint", program: "biome", args: ["ci", "--colors=off", "--max-diagnostics=50", "."] },
  { title: "Structure", program: "node", args: ["scripts/structure.mjs"] },
  { title: "Texts", program: "node", args: ["scripts/messages.mjs"] },
  { title: "Migrations", program: "tsx", args: ["scripts/migration.ts", "--check"] },
];

/**
 * Runs all tests and prints a summary as the last line.
 *
 * @param {string[]} args any number of `--only checks|unit|e2e`
 * @param {SignalWatch} signals
 * @returns {Promise<number>} the exit code
 */
export async function runTests(args, signals) {
  const begin = performance.now();
  const { values } = parseArgs({ args, options: { only: { type: "string", multiple: true } } });
  const wanted = values.only ?? [...partNames];
  const unknown = wanted.find((name) => !partNames.some((known) => known === name));
  if (unknown) throw new StepError(`There is no part "${unknown}"; there are ${partNames.join(", ")}.`);

  // The temporary folder of the tests. It is removed at the end, with files that a killed process could not remove.
  const reports = mkdtempSync(join(tmpdir(), "slipway-test-"));
  // If root runs the tests, PostgreSQL runs under another account, which must be able to enter the folder.
  chmodSync(reports, 0o711);
  process.env.TMPDIR = reports;
  try {
    await step("Client", generateClient);
    signals.throwIfInterrupted();
    // On a new machine it is downloaded and built, which the checks need not wait for.
    const s3Server = wanted.includes("unit") ? findS3Server() : Promise.resolve("");
    s3Server.catch(() => {});
    /** @type {Counts[]} */
    const parts = [];
    if (wanted.includes("checks")) parts.push(await runChecks(signals));
    const unit = wanted.includes("unit") && (await runUnit(s3Server, join(reports, "unit.json"), signals));
    if (unit) parts.push(unit.counts);
    const endToEnd = wanted.includes("e2e") && (await runEndToEnd(join(reports, "e2e.json"), signals));
    if (endToEnd) parts.push(endToEnd.counts);
    if (unit && endToEnd) parts.push(await checkSpecification(unit.results, endToEnd.results));
    const sum = sumCounts(parts);
    console.log(`\nTook ${formatDuration(performance.now() - begin)}.`);
    for (const line of explainSkipped(sum.skipped)) console.log(line);
    console.log(summaryLine(sum));
    return isGood(sum) ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

/**
 * @param {SignalWatch} signals
 * @returns {Promise<Counts>}
 */
async function runChecks(signals) {
  const counts = noCounts();
  for (const { title, program, args } of checks) {
    await countStep(counts, title, () =>
      runQuietly(
        [program, ...args].join(" "),
        program,
        args,
        { cwd: projectDir, shell: process.platform === "win32" },
        (output) => lastLines(output, 200),
      ),
    );
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
 * @returns {Promise<boolean>} whether it passed
 */
async function countStep(counts, title, work) {
  try {
    await step(title, work);
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
 * @param {string} reportFile
 * @param {SignalWatch} signals
 * @returns {Promise<{ counts: Counts, results?: TestResult[] }>} without results if the tests could not be started
 */
async function runEndToEnd(reportFile, signals) {
  const counts = noCounts();
  const built = await countStep(counts, "Build", (report) => buildServer(resolveDataDir(process.env), report));
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
 * alone cannot say that.
 *
 * @param {TestResult[]} unit
 * @param {TestResult[] | undefined} endToEnd
 * @returns {Promise<Counts>}
 */
async function checkSpecification(unit, endToEnd) {
  const title = "Specification";
  const counts = noCounts();
  if (!endToEnd) return { ...counts, skipped: [{ name: title, why: "the end-to-end tests could not be started" }] };
  /** @type {typeof import("../../e2e/specification.ts")} */
  const { BAD_INPUT, SPECIFICATION } = await tsImport("../../e2e/specification.ts", import.meta.url);
  const results = [...unit, ...endToEnd];
  await countStep(counts, title, async (report) => {
    const rows = [
      ...SPECIFICATION.map(({ section, rule, tests }) => ({ row: `section ${section}, ${rule}`, tests })),
      ...BAD_INPUT.map(({ input, tests }) => ({ row: `bad input, ${input}`, tests })),
    ];
    const unshown = rows.flatMap(({ row, tests }) =>
      findUnshown(tests, results).map((problem) => `${row}\n    ${problem}`),
    );
    if (unshown.length > 0)
      throw new StepError(`Rows of the specification were not shown:\n\n  ${unshown.join("\n  ")}`);
    report(`${rows.length} rows shown`);
  });
  return counts;
}

/**
 * @param {string} why
 * @returns {Promise<Counts>} all end-to-end tests, counted as skipped
 */
async function skipEndToEnd(why) {
  const args = ["test", "--config", "e2e/playwright.config.ts", "--list", "--reporter=json"];
  const { stdout } = await promisify(execFile)("playwright", args, {
    cwd: projectDir,
    shell: process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
  const listed = countPlaywright(JSON.parse(stdout));
  return { ...noCounts(), skipped: listed.skipped.map(({ name }) => ({ name, why })) };
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
