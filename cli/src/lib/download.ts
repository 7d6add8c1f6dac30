import { createHash } from "node:crypto";
import type { ConsoleFlags } from "./console";
import type { Context } from "./context";
import { EXIT, Failure, interruptedFailure, unreachableFailure } from "./failure";
import { type OutputFlags, outputPath, requirePipe, writeOutput } from "./output-file";
import { Progress } from "./progress";

/** The options of the commands that download a file. */
export interface DownloadFlags extends ConsoleFlags, OutputFlags {}

/** A file that is downloaded, as the console describes it. */
export interface DownloadedFile {
  /** Bytes. */
  size: number;
  sha256: string;
  fetch(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Receives a file and verifies its SHA-256.
 * @param to the file that is written; null for stdout
 * @throws Failure; no file is left then
 */
export async function receiveVerified(
  context: Context,
  file: DownloadedFile,
  to: { path: string; force: boolean } | null,
): Promise<void> {
  const signal = context.holdInterrupts();
  const progress = new Progress(context, "received");
  const hash = createHash("sha256");
  const response = await file.fetch(signal);
  const started = performance.now();
  const written = to === null ? "Do not use what was written to stdout." : "Nothing was written.";
  let receivedBytes = 0;
  async function* received(): AsyncGenerator<Uint8Array> {
    for await (const chunk of response) {
      hash.update(chunk);
      receivedBytes += chunk.length;
      const bytesPerSecond = receivedBytes / Math.max(0.001, (performance.now() - started) / 1000);
      const secondsLeft = (file.size - receivedBytes) / bytesPerSecond;
      progress.update({
        phase: "uploading",
        sentBytes: receivedBytes,
        totalBytes: file.size,
        bytesPerSecond,
        secondsLeft,
      });
      yield chunk;
    }
    if (hash.digest("hex") === file.sha256) return;
    throw new Failure(EXIT.refused, `The bytes that arrived are not those of the release. ${written}`);
  }
  try {
    if (to === null) await context.out.send(received());
    else await writeOutput(to.path, received(), { mode: 0o644, force: to.force, signal });
  } catch (error) {
    if (signal.aborted) throw interruptedFailure(`Interrupted. ${written}`);
    if (error instanceof Failure) throw error;
    throw unreachableFailure(`The connection was lost. ${written}`, "Try again.");
  } finally {
    progress.end();
  }
}

/** Downloads a file under its name, or to where a command says, and verifies its SHA-256. */
export async function downloadVerified(
  context: Context,
  flags: OutputFlags,
  file: DownloadedFile & { name: string },
): Promise<void> {
  const path = outputPath(context, flags, file.name);
  if (path === null) requirePipe(context);
  await receiveVerified(context, file, path === null ? null : { path, force: flags.force });
  context.err.say(`${context.err.paint("green", context.symbols.done)} The SHA-256 matches.`);
  if (path !== null) context.out.write(`${path}\n`);
}
