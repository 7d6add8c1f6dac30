import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { finished } from "node:stream/promises";
import { type Installer, InstallerError, inspectInstaller } from "@slipway/installers";
import { openFileSource } from "@slipway/installers/node";
import { installerErrors } from "@/messages/en.json";
import { EXIT, Failure, fileFailure } from "./failure";

/** Bytes that are read from disk at once. */
export const READ_BYTES = 1024 * 1024;

/** The English words for the refusal of an installer, as the console says them. */
function wordsOf({ reason, params }: InstallerError): string {
  const text: string = installerErrors[reason];
  return text.replace(/\{(\w+)(?:, number)?\}/g, (_, name: string) => String(params[name] ?? ""));
}

/**
 * Reads an installer as the console does, without sending it.
 * @throws Failure if the file cannot be read or is no installer
 */
export async function readInstaller(path: string): Promise<Installer> {
  try {
    await using source = await openFileSource(path);
    return await inspectInstaller(source, { fileName: basename(path) });
  } catch (error) {
    if (error instanceof InstallerError) {
      throw new Failure(EXIT.refused, `${basename(path)} cannot be published.\n${wordsOf(error)}`, {
        problem: {
          code: "invalid_installer",
          status: 0,
          title: `${basename(path)} cannot be published.`,
          detail: wordsOf(error),
          errors: [{ path: "file", code: error.reason, message: wordsOf(error) }],
          requestId: null,
          retryAfter: null,
        },
      });
    }
    throw fileFailure(path, error) ?? error;
  }
}

/** The SHA-256 of a file in lower-case hex. */
export async function fileSha256(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const stream = createReadStream(path, { highWaterMark: READ_BYTES, signal });
  stream.on("data", (chunk) => hash.update(chunk));
  await finished(stream);
  return hash.digest("hex");
}
