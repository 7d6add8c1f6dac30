import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeIpa } from "@/lib/installers/testing/make-ipa";
import type { Bench } from "../bench.ts";
import { mebibytes, median, type Row, seconds } from "../report.ts";

const BYTES = 1_000_000_000;
const ROUNDS = 3;

/** Runs curl; the seconds that the whole transfer took, in milliseconds. */
function curl(args: readonly string[]): Promise<{ milliseconds: number; status: number }> {
  const format = "%{http_code} %{time_total}";
  const child = spawn("curl", ["--silent", "--show-error", "--output", "/dev/null", "--write-out", format, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", () => {
      const [status, time] = text.split(" ").map(Number) as [number, number];
      resolve({ status, milliseconds: time * 1000 });
    });
  });
}

/** The reference: a bare Node server that streams a body to disk through SHA-256. */
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

/** The memory that a process has resident, in bytes. */
function resident(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** Watches a process's memory. @returns how to end it and learn the most that was seen, in bytes */
function watchMemory(pid: number): () => number {
  let most = resident(pid);
  const timer = setInterval(() => {
    most = Math.max(most, resident(pid));
  }, 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** A gigabyte in one piece: its time against the bare server's, and what it does to the server's memory. */
export async function uploadRows(bench: Bench): Promise<Row[]> {
  const file = join(bench.runDir, "large.ipa");
  const copy = join(bench.runDir, "reference.bin");
  const reference = await bareServer(copy);
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  const growths: number[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      // Other bytes each time: the same ones would be recognised.
      await writeIpa(file, {
        identifier: bench.identifier,
        version: "1.0",
        build: String(round + 1),
        fillerBytes: BYTES,
      });
      const theirs = await curl(["--upload-file", file, reference.url]);
      const idle = resident(bench.serverPid);
      const endWatch = watchMemory(bench.serverPid);
      const ours = await curl([
        ...["--header", `Authorization: Bearer ${bench.token}`],
        ...["--form-string", `environmentId=${bench.environmentId}`, "--form-string", "description=A large one"],
        ...["--form", `file=@${file}`, `${bench.baseUrl}/api/apps/create-testing-deploy`],
      ]);
      if (ours.status !== 201) throw new Error(`the upload was answered with ${ours.status}`);
      const growth = endWatch() - idle;
      // The first round warms caches and the engine up on both sides.
      if (round === 0) continue;
      times.ours.push(ours.milliseconds);
      times.theirs.push(theirs.milliseconds);
      growths.push(growth);
    }
  } finally {
    reference.close();
    await Promise.all([rm(file, { force: true }), rm(copy, { force: true })]);
  }
  const [ours, theirs, growth] = [median(times.ours), median(times.theirs), median(growths)];
  return [
    {
      what: "upload of 1 GB in one piece (disk store)",
      measured: seconds(ours),
      reference: `${seconds(theirs)} bare Node server`,
      ratio: ours / theirs,
      goal: "at most 1.3",
      met: ours / theirs <= 1.3,
    },
    {
      what: "server memory during it",
      measured: `+${mebibytes(growth)}`,
      reference: null,
      ratio: null,
      goal: "at most +64 MiB",
      met: growth <= 64 * 1024 ** 2,
    },
  ];
}
