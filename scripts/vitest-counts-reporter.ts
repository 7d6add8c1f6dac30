import { writeFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";
import { noCounts } from "./lib/test-counts.mjs";

/**
 * Writes what a run came to into the file that SLIPWAY_TEST_COUNTS names, for `npm test` to sum up. Beside failed tests it
 * counts files that could not be loaded, groups whose setup failed, and errors outside of any test.
 */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const counts = noCounts();
    counts.failed += unhandled.length;
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") counts.passed += 1;
        else if (result.state === "failed") counts.failed += 1;
        else {
          const note = result.state === "skipped" ? result.note : "it never ran";
          counts.skipped.push({
            name: `${module.relativeModuleId} > ${test.fullName}`,
            why: note ?? "no reason given",
          });
        }
      }
    }
    const file = process.env.SLIPWAY_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(counts));
  }
}
