import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomFrom } from "@/lib/testing/random";
import { projectDir } from "@/scripts/lib/files.mjs";
import { type Base, makeCorpus } from "./corpus";
import { tortureInstallers } from "./installers";
import { mutate } from "./mutations";
import type { Outcome } from "./reader";

const SEED = 7;

/** A reader that says the same of each file. */
const saying = (outcome: Outcome, milliseconds = 1) => ({
  read: async () => ({ ...outcome, milliseconds }),
  close: async () => undefined,
});

test("mutated installers are inspected or refused with a reason", async () => {
  const report = await tortureInstallers({ files: 150, seed: SEED });
  expect(report.problems).toEqual([]);
  expect(report.inspected + report.refused).toBe(150);
  expect(report.inspected).toBeGreaterThan(10);
  expect(report.reasons.length).toBeGreaterThan(5);
});

test("the same seed makes the same mutations", async () => {
  const corpus = await makeCorpus();
  const [base] = corpus as [Base];
  const made = () =>
    Array.from({ length: 20 }, (_, index) => {
      const { what, bytes } = mutate(base, corpus, randomFrom(index));
      return `${what} ${createHash("sha256").update(bytes).digest("hex")}`;
    });
  expect(made()).toEqual(made());
});

test.each([
  ["a crash", saying({ outcome: "crashed", error: "TypeError: x" }), "crashed: TypeError: x"],
  ["a thread without memory", saying({ outcome: "out of memory" }), "out of memory"],
  ["a thread that hangs", saying({ outcome: "timed out" }), "timed out"],
  ["a slow reading", saying({ outcome: "inspected" }, 21_000), "took 21 s"],
] as const)("%s is reported, with the file that caused it", async (_, reader, problem) => {
  const { problems } = await tortureInstallers({ files: 1, seed: SEED, reader });
  expect(problems).toEqual([expect.stringContaining(problem)]);
  const path = join(projectDir, problems[0]?.split(" ")[0] as string);
  expect(readFileSync(path).length).toBeGreaterThan(0);
  rmSync(path);
});
