import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/kernel/env";

/** The names of mails and of temporary files that a crash can leave. */
const OUTBOX_FILE = /\.eml$|^\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const outbox = () => join(env.DATA_DIR, "outbox");

/** Writes a mail to `DATA_DIR/outbox` atomically, for an administrator without a mail server. */
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
 * Removes mails of this instance's outbox that were written before the given time.
 * @returns the number of removed files
 */
export async function sweepOutbox(before: Date): Promise<number> {
  const names = await readdir(outbox()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  let swept = 0;
  for (const path of names.filter((name) => OUTBOX_FILE.test(name)).map((name) => join(outbox(), name))) {
    // The file may have been removed by an administrator or another sweep.
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || found.mtime >= before) continue;
    await rm(path, { force: true });
    swept += 1;
  }
  return swept;
}
