import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileFailure } from "./failure";
import { removeDraft } from "./private-file";

/**
 * Writes a file in one step: a reader sees the old or the new content. An interrupted or failed write leaves nothing behind.
 * @param mode 0o600 for secrets
 * @throws Failure if it cannot be written, such as on a full disk
 */
export async function writeOutput(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { mode, signal }: { mode: number; signal?: AbortSignal },
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  const source = typeof content === "string" || content instanceof Uint8Array ? Readable.from([content]) : content;
  try {
    // Opened first: a stream that opens the file itself could do so after the draft of a failed write is removed.
    await using file = await open(temporary, "wx", mode);
    await pipeline(source, file.createWriteStream(), { signal });
    renameSync(temporary, path);
  } catch (error) {
    removeDraft(temporary);
    throw fileFailure(path, error) ?? error;
  }
}
