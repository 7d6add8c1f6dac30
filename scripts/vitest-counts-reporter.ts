import { writeFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";
import { noCounts } from "./lib/test-counts.mjs";

/**
 * Writes the result of a run into the file that SLIPWAY_TEST_COUNTS names, for `npm test` to sum up. Besides failed tests
 * it counts as failures: files that could not be loaded, groups whose setup failed, errors outside of any test, and tests
 * that are skipped without a reason.
 */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const counts = noCounts();
    counts.failed += unhandled.length;
    for (const module of modules) {
      const broken =
        module.errors().length + [...module.children.allSuites()].flatMap((suite) => suite.errors()).length;
      counts.failed += broken;
      for (const test of module.children.allTests()) {
        const result = test.result();
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
    if (file) writeFileSync(file, JSON.stringify(counts));
  }
}
