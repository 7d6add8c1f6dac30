import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeIpa } from "@slipway/installers/testing";
import type { Bench } from "./bench.ts";
import { curl, curlBodies } from "./transfer.ts";

export const PARALLEL_PARTS = 8;
/** The part size that the server requests for files of up to 8 GB. */
const PART_BYTES = 8 * 1024 ** 2;

/** Flushes the operating system's write cache, so that earlier writes do not slow down the measurement. */
export async function flushDisk(): Promise<void> {
  await once(spawn("sync", { stdio: "ignore" }), "exit");
}

/** Writes an installer with new content. @returns its path */
export async function anInstaller(bench: Bench, name: string, bytes: number): Promise<string> {
  const file = join(bench.runDir, name);
  const { identifier } = bench;
  await writeIpa(file, { identifier, version: "1.0", build: String(Date.now()), fillerBytes: bytes });
  return file;
}

/**
 * Publishes a file in one request, as CI does.
 * @param options.limitRate bytes per second, as curl's option takes it
 * @returns milliseconds
 */
export async function uploadInOnePiece(
  bench: Bench,
  file: string,
  { limitRate }: { limitRate?: string } = {},
): Promise<number> {
  const { status, milliseconds } = await curl([
    ...(limitRate === undefined ? [] : ["--limit-rate", limitRate]),
    ...["--header", `Authorization: Bearer ${bench.token}`],
    ...["--form-string", `environmentId=${bench.environmentId}`, "--form-string", "description=A large one"],
    ...["--form", `file=@${file}`, `${bench.baseUrl}/api/apps/create-testing-deploy`],
  ]);
  if (status !== 201) throw new Error(`the upload returned ${status}`);
  return milliseconds;
}

/** A part of a file, stored as a separate file. */
interface PartFile {
  number: number;
  path: string;
  length: number;
}

async function splitIntoParts(file: string, partSize: number): Promise<PartFile[]> {
  const { size } = await stat(file);
  const parts = Array.from({ length: Math.ceil(size / partSize) }, (_, index) => ({
    number: index + 1,
    path: `${file}.part-${index + 1}`,
    length: Math.min(partSize, size - index * partSize),
  }));
  for (const { number, path, length } of parts) {
    const start = (number - 1) * partSize;
    const source = createReadStream(file, { start, end: start + length - 1, highWaterMark: 1024 ** 2 });
    await pipeline(source, createWriteStream(path));
  }
  return parts;
}

/** Sends parts of an upload one after another over one connection. @returns their ETags */
async function sendParts(bench: Bench, uploadId: string, parts: readonly PartFile[]) {
  const requests = parts.map(({ number, path }) => [
    ...["--fail", "--header", `Cookie: ${bench.cookie}`, "--header", `Origin: ${bench.baseUrl}`],
    ...["--header", "Content-Type: application/octet-stream", "--write-out", "\\n", "--upload-file", path],
    `${bench.baseUrl}/api/files/upload-part?uploadId=${uploadId}&number=${number}`,
  ]);
  const answers = await curlBodies(requests);
  return parts.map(({ number }, index) => ({
    number,
    etag: (JSON.parse(answers[index] as string) as { etag: string }).etag,
  }));
}

/**
 * Publishes a file in parts, eight at a time. curl sends them, as it does for the reference: a client written in Node takes
 * as much CPU time as the server.
 * @returns milliseconds, and the number of bytes sent
 */
export async function uploadInParts(
  bench: Bench,
  file: string,
  sha256?: string,
): Promise<{ milliseconds: number; sentBytes: number }> {
  const { size } = await stat(file);
  const parts = sha256 ? [] : await splitIntoParts(file, PART_BYTES);
  try {
    await flushDisk();
    const begun = performance.now();
    const upload = await bench.command("files/create-upload", { name: "large.ipa", size, ...(sha256 && { sha256 }) });
    let { fileId } = upload as { fileId?: string };
    if (!fileId) {
      const { uploadId, partSize } = upload as { uploadId: string; partSize: number };
      if (partSize !== PART_BYTES) throw new Error(`the part size is ${partSize} bytes`);
      const lanes = Array.from({ length: PARALLEL_PARTS }, (_, lane) =>
        parts.filter(({ number }) => number % PARALLEL_PARTS === lane),
      ).filter((lane) => lane.length > 0);
      const sent = (await Promise.all(lanes.map((lane) => sendParts(bench, uploadId, lane)))).flat();
      fileId = (await bench.command("files/complete-upload", { uploadId, parts: sent })).fileId;
    }
    const { environmentId } = bench;
    await bench.command("apps/create-testing-deploy", { environmentId, description: "In parts", fileId });
    const sentBytes = parts.reduce((sum, { length }) => sum + length, 0);
    return { milliseconds: performance.now() - begun, sentBytes };
  } finally {
    await Promise.all(parts.map(({ path }) => rm(path, { force: true })));
  }
}
