import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/kernel/env";

/** Mails, and what a crash left of one that was being written. */
const OURS = /\.eml$|^\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const outbox = () => join(env.DATA_DIR, "outbox");

/** Writes a mail where an administrator without a mail server finds it: whole, or not at all. */
export async function writeToOutbox(mail: Uint8Array, id: string): Promise<void> {
  await mkdir(outbox(), { recursive: true, mode: 0o700 });
  const unfinished = join(outbox(), `.${randomUUID()}`);
  try {
    await writeFile(unfinished, mail, { mode: 0o600, flag: "wx" });
    await rename(unfinished, join(outbox(), `${id}.eml`));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Removes the mails of this instance's outbox that were written before a time.
 * @returns how many
 */
export async function sweepOutbox(before: Date): Promise<number> {
  const names = await readdir(outbox()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  let swept = 0;
  for (const path of names.filter((name) => OURS.test(name)).map((name) => join(outbox(), name))) {
    // It may have gone since: an administrator, or another sweep, removes files as well.
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || found.mtime >= before) continue;
    await rm(path, { force: true });
    swept += 1;
  }
  return swept;
}
