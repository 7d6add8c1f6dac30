import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@slipway/installers";
import { type Random, randomFrom } from "@/lib/testing/random";
import { projectDir } from "../../scripts/lib/files.mjs";
import { bundleWorkerThread } from "../../scripts/vitest-worker-threads.ts";
import { type Base, makeCorpus } from "./corpus";
import { mutate } from "./mutations";
import { Reader, type Reading } from "./reader";

/** The most memory that a process which reads installers may have, in bytes: the corpus, the reader and all threads. */
const MAX_MEMORY_BYTES = 512 * 1024 ** 2;
/** The most processor time that a file may take. */
const MAX_MILLISECONDS = limits.INSPECTION_TIMEOUT_MS;

/** What was read, and what was found. Times are processor times in milliseconds, sizes are in bytes. */
export interface InstallersReport {
  files: number;
  inspected: number;
  refused: number;
  /** Different reasons of refusals. */
  reasons: string[];
  longest: number;
  /** Of the process that needed most. */
  peakMemory: number;
  problems: string[];
}

/** How mutated installers are chosen and read. */
export interface InstallersOptions {
  files: number;
  seed: number;
  /** Reads each `of`th file, beginning with `index`. */
  share?: { index: number; of: number };
  reader?: Pick<Reader, "read" | "close">;
  onProgress?: (files: number) => void;
}

const emptyReport = (): InstallersReport => ({
  files: 0,
  inspected: 0,
  refused: 0,
  reasons: [],
  longest: 0,
  peakMemory: 0,
  problems: [],
});

/** The file with this number, which is the same for the same seed but for the generators' random keys. */
function mutantOf(corpus: readonly Base[], seed: number, number: number) {
  const random: Random = randomFrom((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) | 0);
  const base = corpus[random(corpus.length)] as Base;
  return { base, ...mutate(base, corpus, random) };
}

function problemOf(reading: Reading): string | null {
  if (reading.milliseconds > MAX_MILLISECONDS) return `took ${Math.round(reading.milliseconds / 1000)} s`;
  switch (reading.outcome) {
    case "inspected":
    case "refused":
      return null;
    case "crashed":
      return `crashed: ${reading.error}`;
    default:
      return reading.outcome;
  }
}

/**
 * Reads mutated installers in a thread with the server's limits. Each must be inspected, or refused with a reason, in time and
 * memory. A file with a problem is kept in `test-results/torture/`.
 */
export async function tortureInstallers(options: InstallersOptions): Promise<InstallersReport> {
  const { files, seed, share = { index: 0, of: 1 }, onProgress } = options;
  const corpus = await makeCorpus();
  const reader =
    options.reader ??
    new Reader(await bundleWorkerThread(join(projectDir, "torture", "installers", "reading-worker.ts")));
  const report = emptyReport();
  const reasons = new Set<string>();
  try {
    for (let number = share.index; number < files; number += share.of) {
      const { base, what, bytes } = mutantOf(corpus, seed, number);
      const reading = await reader.read(bytes, `a.${base.kind}`);
      report.files += 1;
      if (reading.outcome === "inspected") report.inspected += 1;
      if (reading.outcome === "refused") {
        report.refused += 1;
        reasons.add(reading.reason);
      }
      report.longest = Math.max(report.longest, reading.milliseconds);
      // The kernel keeps the peak of the process, so no short one is missed.
      report.peakMemory = process.resourceUsage().maxRSS * 1024;
      const problem = problemOf(reading) ?? (report.peakMemory > MAX_MEMORY_BYTES ? "more than 512 MB" : null);
      if (problem) {
        const path = join("test-results", "torture", `${seed}-${number}.${base.kind}`);
        mkdirSync(join(projectDir, "test-results", "torture"), { recursive: true });
        writeFileSync(join(projectDir, path), bytes);
        report.problems.push(`${path} (${base.name}; ${what}): ${problem}`);
        if (report.peakMemory > MAX_MEMORY_BYTES) break;
      }
      if (report.files % 1_000 === 0) onProgress?.(report.files);
    }
  } finally {
    await reader.close();
  }
  return { ...report, reasons: [...reasons].sort() };
}

/** What a process of {@link tortureInstallersInParallel} sends. */
export type FromProcess = { progress: number } | { report: InstallersReport };

/** Reads the installers in several processes. */
export async function tortureInstallersInParallel(
  options: Pick<InstallersOptions, "files" | "seed" | "onProgress"> & { processes: number },
): Promise<InstallersReport> {
  const { files, seed, processes, onProgress } = options;
  const progress = new Array<number>(processes).fill(0);
  const reports = await Promise.all(
    progress.map(async (_, index): Promise<InstallersReport> => {
      const child = fork(join(projectDir, "torture", "installers", "process.ts"), [], {
        execArgv: ["--import", "tsx", "--conditions=react-server"],
      });
      let report: InstallersReport | null = null;
      child.on("message", (message: FromProcess) => {
        if ("report" in message) report = message.report;
        else {
          progress[index] = message.progress;
          onProgress?.(progress.reduce((sum, one) => sum + one, 0));
        }
      });
      child.send({ files, seed, share: { index, of: processes } } satisfies InstallersOptions);
      const [code, signal] = await once(child, "exit");
      const died = `a process that reads installers ended with ${code ?? signal} after ${progress[index]} files`;
      return report ?? { ...emptyReport(), problems: [died] };
    }),
  );
  return reports.reduce((sum, one) => ({
    files: sum.files + one.files,
    inspected: sum.inspected + one.inspected,
    refused: sum.refused + one.refused,
    reasons: [...new Set([...sum.reasons, ...one.reasons])].sort(),
    longest: Math.max(sum.longest, one.longest),
    peakMemory: Math.max(sum.peakMemory, one.peakMemory),
    problems: [...sum.problems, ...one.problems],
  }));
}
