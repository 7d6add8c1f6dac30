import { writeFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { noCounts } from "./lib/test-counts.mjs";
import type { TestResult } from "./lib/witnesses.mjs";

/**
 * Writes the counts and the results of a run to the file named by SLIPWAY_TEST_COUNTS, which `npm test` reads. Files that could not be
 * loaded, groups whose setup failed, errors outside of tests and tests skipped without a reason count as failed.
 */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const counts = noCounts();
    const results: TestResult[] = [];
    counts.failed += unhandled.length;
    for (const module of modules) {
      const broken =
        module.errors().length + [...module.children.allSuites()].flatMap((suite) => suite.errors()).length;
      counts.failed += broken;
      for (const test of module.children.allTests()) {
        const result = test.result();
        results.push({
          file: module.relativeModuleId,
          titles: titlesOf(test),
          passed: result.state === "passed" && broken === 0,
        });
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (result.state === "passed") counts.passed += 1;
        else if (result.state === "failed") counts.failed += 1;
        else if (result.state === "skipped" && result.note) counts.skipped.push({ name, why: result.note });
        else if (broken > 0) counts.skipped.push({ name, why: "its file or the setup of its group failed" });
        else {
          counts.failed += 1;
          console.error(`Skipped without a reason: ${name}`);
        }
      }
    }
    const file = process.env.SLIPWAY_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify({ counts, results }));
  }
}

/** The titles of a test's groups from the outside in, and its own. */
function titlesOf(test: TestCase): string[] {
  const titles = [test.name];
  for (let { parent } = test; parent.type === "suite"; parent = parent.parent) titles.unshift(parent.name);
  return titles;
}
