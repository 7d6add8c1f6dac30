import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { watchMemory } from "../memory.ts";
import { anInstaller, flushDisk, PARALLEL_PARTS, uploadInOnePiece, uploadInParts } from "../part-upload.ts";
import { mebibytes, median, type Row, seconds } from "../report.ts";
import { curl } from "../transfer.ts";

const ROUNDS = 3;
const PARALLEL_UPLOADS = 4;
const MEMORY_LIMIT = 64 * 1024 ** 2;
/** The delay between a response and the start of a memory measurement, so that work after the response has finished. */
const SETTLE_MS = 1_500;

/** Starts the reference: a bare Node server that streams a request body to disk through SHA-256. */
async function bareServer(file: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const hash = createHash("sha256");
    const hashing = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(request, hashing, createWriteStream(file));
    response.end(hash.digest("hex"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 ** 2 })) hash.update(chunk);
  return hash.digest("hex");
}

function memoryRow(what: string, growth: number): Row {
  return {
    what,
    measured: `+${mebibytes(growth)}`,
    reference: null,
    ratio: null,
    goal: "at most +64 MiB",
    met: growth <= MEMORY_LIMIT,
  };
}

/** Measures large uploads in one piece and in parts, compared with a bare server, and the server's memory. */
export async function uploadRows(bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  const bytes = Math.round(1_000_000_000 * scale);
  const name = `${bytes / 1e6} MB`;
  const copy = join(bench.runDir, "reference.bin");
  const reference = await bareServer(copy);
  const times: Record<"whole" | "parts" | "bare" | "again", number[]> = { whole: [], parts: [], bare: [], again: [] };
  const growths: number[] = [];
  let sentAgain = 0;
  let file = "";
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      // New content each time, since the server recognizes a file that it already has.
      file = await anInstaller(bench, "large.ipa", bytes);
      await flushDisk();
      const bare = (await curl(["--upload-file", file, reference.url])).milliseconds;
      await flushDisk();
      await sleep(SETTLE_MS);
      const grown = watchMemory(bench.serverPid);
      const whole = await uploadInOnePiece(bench, file);
      const growth = grown();
      const sha256 = await sha256Of(file);
      const again = await uploadInParts(bench, file, sha256);
      sentAgain += again.sentBytes;
      file = await anInstaller(bench, "large.ipa", bytes);
      const parts = await uploadInParts(bench, file);
      // The first round warms up caches and the JIT compiler on both sides.
      if (round === 0) continue;
      times.bare.push(bare);
      times.whole.push(whole);
      times.again.push(again.milliseconds);
      times.parts.push(parts.milliseconds);
      growths.push(growth);
    }
  } finally {
    reference.close();
    await Promise.all([file, copy].filter(Boolean).map((path) => rm(path, { force: true })));
  }
  const [whole, parts, bare, again] = [times.whole, times.parts, times.bare, times.again].map(median) as [
    number,
    number,
    number,
    number,
  ];
  return [
    {
      what: `upload of ${name} in one piece (disk store)`,
      measured: seconds(whole),
      reference: `${seconds(bare)} bare Node server`,
      ratio: whole / bare,
      goal: "at most 1.3",
      met: whole / bare <= 1.3,
    },
    {
      what: `upload of ${name} in ${PARALLEL_PARTS} parallel parts`,
      measured: seconds(parts),
      reference: `${seconds(bare)} bare Node server, one piece`,
      ratio: parts / bare,
      goal: "at most 1.0",
      met: parts / bare <= 1,
    },
    {
      what: "the same file a second time",
      measured: `${sentAgain} bytes of it sent, ${seconds(again)}`,
      reference: `${seconds(whole)} the first time`,
      ratio: again / whole,
      goal: "no bytes sent",
      met: sentAgain === 0,
    },
    memoryRow("server memory during the upload in one piece", median(growths)),
    await parallelMemory(bench, bytes),
  ];
}

/** Measures the growth of the server's memory during four concurrent uploads. */
async function parallelMemory(bench: Bench, bytes: number): Promise<Row> {
  const size = Math.round(bytes / PARALLEL_UPLOADS);
  const files: string[] = [];
  try {
    for (let index = 0; index < PARALLEL_UPLOADS; index++) {
      files.push(await anInstaller(bench, `parallel-${index}.ipa`, size));
    }
    await sleep(SETTLE_MS);
    const grown = watchMemory(bench.serverPid);
    await Promise.all(files.map((file) => uploadInOnePiece(bench, file)));
    return memoryRow(`server memory during ${PARALLEL_UPLOADS} uploads at once (${size / 1e6} MB each)`, grown());
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}
