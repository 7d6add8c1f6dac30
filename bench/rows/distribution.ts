import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { makeIpa } from "@slipway/installers/testing";
import type { Bench } from "../bench.ts";
import { compared, median, type Row, seconds } from "../report.ts";

const RECIPIENTS = 10_000;
const ROUNDS = 7;
/** Publishing with recipients takes at most so many times as long as without. */
const RATIO_GOAL = 1.2;
/** The recipients are made in at most so many times as long as the import of their addresses takes. */
const DONE_GOAL = 3;
const ASK_INTERVAL_MS = 100;

/** Publishes a small release. @returns its ID, and how long the call took */
async function publish(bench: Bench, fields: Record<string, string>): Promise<{ id: string; ms: number }> {
  const form = new FormData();
  const all = { environmentId: bench.environmentId, description: "A release of the benchmark", ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  const bytes = makeIpa({ identifier: bench.identifier, files: { "seed.bin": randomBytes(64) } });
  form.append("file", new Blob([bytes]), "bench.ipa");
  const startedAt = performance.now();
  const { id } = await bench.command("apps/create-testing-deploy", form);
  return { id, ms: performance.now() - startedAt };
}

/** Waits until the recipients of a release are made. @returns how long that took, in milliseconds */
async function recipientsOf(bench: Bench, releaseId: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { distributions } = await bench.query(`testers/get-release-distributions?releaseId=${releaseId}`);
    if (distributions[0]?.state === "done") return performance.now() - startedAt;
    await delay(ASK_INTERVAL_MS);
  }
}

/** Measures what recipients add to the time of a publication, and when all of them are made. */
export async function distributionRows(bench: Bench): Promise<Row[]> {
  const { appId } = bench;
  const { id: groupId } = await bench.command("testers/create-tester-group", { appId, name: "Benchmark" });
  const csv = Array.from({ length: RECIPIENTS }, (_, index) => `tester-${index}@example.test`).join("\n");
  const begun = performance.now();
  await bench.command("testers/import-tester-group-members", { groupId, csv });
  const imported = performance.now() - begun;
  const [without, told, done]: [number[], number[], number[]] = [[], [], []];
  // In turns, so that whatever else the machine does affects both.
  for (let round = 0; round <= ROUNDS; round++) {
    const plain = await publish(bench, {});
    const distributed = await publish(bench, { groups: groupId });
    const made = await recipientsOf(bench, distributed.id);
    if (round === 0) continue;
    without.push(plain.ms);
    told.push(distributed.ms);
    done.push(made);
  }
  const ratio = median(told) / median(without);
  return [
    {
      what: `publish for ${RECIPIENTS.toLocaleString("en")} testers; reference: for none`,
      measured: seconds(median(told)),
      reference: seconds(median(without)),
      ratio,
      goal: `at most ${RATIO_GOAL} ×`,
      met: ratio <= RATIO_GOAL,
    },
    compared(`until the ${RECIPIENTS.toLocaleString("en")} recipients are made`, {
      measured: median(done),
      reference: imported,
      of: "to import them into a group",
      format: seconds,
      goal: { most: DONE_GOAL },
    }),
  ];
}
