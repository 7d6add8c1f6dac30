import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import {
  type Installer,
  InstallerError,
  inspectInstaller,
  readCodeSignature,
  ungrantedEntitlements,
} from "@slipway/installers";
import { openFileSource } from "@slipway/installers/node";
import { installerErrors } from "@/messages/en.json";
import { EXIT, Failure, fileFailure, usageFailure } from "./failure";
import { filledText } from "./filled-text";

/** Bytes that are read from disk at once. */
const READ_BYTES = 256 * 1024;

/**
 * Reads a range of a file piece by piece into one buffer, so that memory depends neither on the size of the file nor on when
 * garbage is collected. A piece is valid until the next one is asked for.
 * @param range.length bytes; the range may end earlier, with the file
 */
export async function* readRange(path: string, range: { start: number; length: number }): AsyncGenerator<Buffer> {
  await using file = await open(path, "r");
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, range.length));
  for (let done = 0; done < range.length; ) {
    const wanted = Math.min(buffer.length, range.length - done);
    const { bytesRead } = await file.read(buffer, 0, wanted, range.start + done);
    if (bytesRead === 0) return;
    done += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The English words for the refusal of an installer, as the console says them. */
function wordsOf({ reason, params }: InstallerError): string {
  return filledText(installerErrors[reason], params);
}

/**
 * Reads an installer as the console does, without sending it.
 * @throws Failure if the file cannot be read or is not an installer
 */
export async function readInstaller(path: string): Promise<Installer> {
  try {
    if (statSync(path).isDirectory()) throw usageFailure(`${path} is a folder.`);
    await using source = await openFileSource(path);
    return await inspectInstaller(source, { fileName: basename(path) });
  } catch (error) {
    if (error instanceof InstallerError) {
      throw new Failure(EXIT.usage, `${basename(path)} cannot be published.\n${wordsOf(error)}`, {
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

/** The entitlements that an .ipa claims and its profile does not grant; none where they are not known. */
export async function readUngrantedEntitlements(path: string, installer: Installer): Promise<string[]> {
  if (installer.kind !== "ipa") return [];
  await using source = await openFileSource(path);
  const claims = (await readCodeSignature(source))?.claims;
  return claims ? ungrantedEntitlements(claims, installer.entitlements) : [];
}

/** The SHA-256 of a file in lower-case hex. */
export async function fileSha256(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of readRange(path, { start: 0, length: Number.MAX_SAFE_INTEGER })) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest("hex");
}
