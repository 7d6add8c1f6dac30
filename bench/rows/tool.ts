import { spawn, spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bundleCli } from "../../scripts/lib/cli.mjs";
import type { Bench } from "../bench.ts";
import { peakBytes } from "../memory.ts";
import { anInstaller, flushDisk, PARALLEL_PARTS, uploadInParts } from "../part-upload.ts";
import { nodeStart } from "../references.ts";
import { compared, mebibytes, median, milliseconds, type Row, seconds } from "../report.ts";

const STARTS = 20;
/** Starting takes at most so many times as long as Node itself. */
const START_GOAL = 5;
const PAIRS = 7;
const TIME_GOAL = 1.1;
const MEMORY_GOAL_BYTES = 128 * 1024 ** 2;
/** How often the peak of the tool's memory is read; the kernel records the peak itself. */
const READ_INTERVAL_MS = 50;

/** Publishes a file with the tool. @returns milliseconds, and the peak of the tool's resident memory in bytes */
async function uploadWithTool(
  bench: Bench,
  tool: string,
  file: string,
): Promise<{ milliseconds: number; peak: number }> {
  await flushDisk();
  const begun = performance.now();
  const child = spawn(process.execPath, [tool, "upload", file, "--notes", "With the tool"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      SLIPWAY_CONSOLE: bench.baseUrl,
      SLIPWAY_TOKEN: bench.token,
      SLIPWAY_CONFIG_DIR: join(bench.runDir, "tool"),
    },
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  let peak = 0;
  const reading = setInterval(() => {
    if (child.exitCode !== null || child.pid === undefined) return;
    const bytes = peakBytes(child.pid);
    // Not a number in the moment after the end of the process.
    if (bytes > peak) peak = bytes;
  }, READ_INTERVAL_MS);
  const status = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  const milliseconds = performance.now() - begun;
  clearInterval(reading);
  if (status !== 0) throw new Error(`the tool exited with ${status}: ${errors}`);
  return { milliseconds, peak };
}

/** Measures the command-line tool: its start, an upload compared with curl, and the memory of a large upload. */
export async function toolRows(bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  const tool = await bundleCli(join(bench.runDir, "tool"));
  const starts: number[] = [];
  for (let start = 0; start <= STARTS; start++) {
    const begun = performance.now();
    spawnSync(process.execPath, [tool, "--version"]);
    // The first one reads the tool from disk.
    if (start > 0) starts.push(performance.now() - begun);
  }
  const bytes = Math.round(1_000_000_000 * scale);
  const times: Record<"tool" | "curl", number[]> = { tool: [], curl: [] };
  let file = "";
  try {
    for (let pair = 0; pair <= PAIRS; pair++) {
      for (const client of pair % 2 ? (["tool", "curl"] as const) : (["curl", "tool"] as const)) {
        // New content each time, since the server recognizes a file that it already has.
        file = await anInstaller(bench, "large.ipa", bytes);
        const upload = client === "tool" ? uploadWithTool(bench, tool, file) : uploadInParts(bench, file);
        const { milliseconds } = await upload;
        // The first pair warms up the server.
        if (pair > 0) times[client].push(milliseconds);
      }
    }
    file = await anInstaller(bench, "large.ipa", 5 * bytes);
    const { peak } = await uploadWithTool(bench, tool, file);
    const [start, ours, theirs] = [starts, times.tool, times.curl].map(median) as [number, number, number];
    return [
      compared(`slipway --version, median of ${STARTS}`, {
        measured: start,
        reference: nodeStart(STARTS),
        of: "`node -e 0`",
        format: milliseconds,
        goal: { most: START_GOAL },
      }),
      {
        what: `slipway upload of ${bytes / 1e6} MB, median of ${PAIRS}`,
        measured: seconds(ours),
        reference: `${seconds(theirs)} curl, ${PARALLEL_PARTS} parallel parts`,
        ratio: ours / theirs,
        goal: `at most ${TIME_GOAL}`,
        met: ours / theirs <= TIME_GOAL,
      },
      {
        what: `slipway upload of ${(5 * bytes) / 1e6} MB: memory of the tool at its peak`,
        measured: mebibytes(peak),
        reference: null,
        ratio: null,
        goal: `at most ${mebibytes(MEMORY_GOAL_BYTES)}`,
        met: peak <= MEMORY_GOAL_BYTES,
      },
    ];
  } finally {
    if (file) await rm(file, { force: true });
  }
}
