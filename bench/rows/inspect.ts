import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ByteSource } from "@slipway/installers";
import { inspectInstaller } from "@slipway/installers";
import { openFileSource } from "@slipway/installers/node";
import { writeApk, writeIpa } from "@slipway/installers/testing";
import type { Bench } from "../bench.ts";
import { median, type Row } from "../report.ts";

const ROUNDS = 5;
const SIZES = [
  { name: "10 MB", bytes: 10_000_000 },
  { name: "500 MB", bytes: 500_000_000 },
  { name: "4 GB", bytes: 4_000_000_000 },
];

/** Inspects an installer as the server does. @returns milliseconds, and the share of its bytes that was read */
async function ours(path: string): Promise<{ milliseconds: number; share: number }> {
  await using file = await openFileSource(path);
  let bytesRead = 0;
  const source: ByteSource = {
    size: file.size,
    read: (offset, length) => {
      bytesRead += length;
      return file.read(offset, length);
    },
  };
  const begun = performance.now();
  await inspectInstaller(source, { fileName: path });
  return { milliseconds: performance.now() - begun, share: bytesRead / file.size };
}

const PARSER = `
  const Parser = require("app-info-parser");
  const begun = performance.now();
  new Parser(process.argv[1]).parse().then(
    () => console.log(performance.now() - begun),
    () => process.exit(1),
  );
`;

/** Parses the file with app-info-parser in a child process. @returns milliseconds; null if it fails or takes over a minute */
function theirs(path: string): Promise<number | null> {
  const child = spawn(process.execPath, ["-e", PARSER, path], { stdio: ["ignore", "pipe", "ignore"], timeout: 60_000 });
  return new Promise((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("close", (code) => resolve(code === 0 ? Number(text) : null));
  });
}

/** Returns the median of `theirs` over all rounds. */
async function theirMedian(path: string): Promise<number | null> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const milliseconds = await theirs(path);
    if (milliseconds === null) return null;
    rounds.push(milliseconds);
  }
  return median(rounds);
}

/** Measures the inspection of installers of three sizes, compared with app-info-parser on the same file. */
export async function inspectRows(bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, write] of [
    ["ipa", writeIpa],
    ["apk", writeApk],
  ] as const) {
    for (const { name, bytes } of SIZES) {
      // Signing hashes the whole .apk, which would take most of the run at 4 GB.
      if (kind === "apk" && bytes > 1e9) continue;
      const path = join(bench.runDir, `inspected.${kind}`);
      await write(path, { fillerBytes: Math.round(bytes * scale) });
      const reads: { milliseconds: number; share: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) reads.push(await ours(path));
      const reference = bytes > 1e9 ? null : await theirMedian(path);
      await rm(path);
      const milliseconds = median(reads.map((read) => read.milliseconds));
      const share = reads[0]?.share ?? 1;
      const ratio = reference === null ? null : reference / milliseconds;
      rows.push({
        what: `reading a ${kind} of ${name}`,
        measured: `${milliseconds.toFixed(0)} ms, ${(share * 100).toFixed(4)} % of its bytes`,
        reference: reference === null ? "app-info-parser fails" : `${reference.toFixed(0)} ms app-info-parser`,
        ratio: ratio === null ? null : 1 / ratio,
        goal: bytes === 500_000_000 ? "at least 5 × faster, at most 1 %" : "at most 1 %",
        met: share <= 0.01 && (bytes !== 500_000_000 || ratio === null || ratio >= 5),
      });
    }
  }
  return rows;
}
