import "server-only";
import { createHash } from "node:crypto";
import type { MasterKeys } from "@/lib/kernel/crypto/master-keys";
import { decrypt } from "./age";
import { type BackedUpObject, type Manifest, readArchive } from "./archive";
import type { Progress } from "./create";
import { BackupError } from "./errors";
import { type BackupFolder, type BackupSummary, sha256OfPath } from "./folder";

/**
 * Checks every byte of a backup's files against their SHA-256, which needs no key.
 * @returns what is wrong, one line each; empty if nothing is
 */
export async function verifyFiles(
  folder: BackupFolder,
  summary: BackupSummary,
  { progress }: { progress?: Progress } = {},
): Promise<string[]> {
  const faults: string[] = [];
  const check = async (path: string, sha256: string) => {
    try {
      if ((await folder.digest(path)).sha256 !== sha256) faults.push(`${path} is damaged: it was changed or cut short`);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      faults.push(error.message);
    }
  };
  await check(folder.archiveName(summary.id), summary.archive.sha256);
  const objects = await folder.objectsOf(summary);
  for (const [index, path] of objects.entries()) {
    progress?.({ of: "files", done: index, total: objects.length });
    await check(path, sha256OfPath(path));
  }
  return faults;
}

/** Reads the list of objects of an archive, and its rows without keeping them. @throws BackupError */
export async function readContents(
  folder: BackupFolder,
  id: string,
  options: {
    identities: readonly string[];
    masterKeys: MasterKeys | null;
    header?: (header: Manifest["header"]) => Promise<void> | void;
  },
): Promise<{ manifest: Manifest; objects: BackedUpObject[] }> {
  const objects: BackedUpObject[] = [];
  const manifest = await readArchive(folder, id, {
    identities: options.identities,
    masterKeys: options.masterKeys,
    visitor: {
      header: options.header,
      async rows(_table, rows) {
        for await (const _ of rows);
      },
      object: (object) => objects.push(object),
    },
  });
  return { manifest, objects };
}

/** The content of an object's file. @throws BackupError */
export function openObject(folder: BackupFolder, { path }: BackedUpObject, identities: readonly string[]) {
  return decrypt(folder.open(path), identities, path);
}

/**
 * Decrypts a backup and compares every digest of its content.
 * @returns what is wrong with objects, one line each
 * @throws BackupError if the archive is not whole, not of this deployment or not for these identities
 */
export async function verifyContent(
  folder: BackupFolder,
  id: string,
  options: { identities: readonly string[]; masterKeys: MasterKeys | null; progress?: Progress },
): Promise<{ manifest: Manifest; faults: string[] }> {
  const { manifest, objects } = await readContents(folder, id, options);
  const faults: string[] = [];
  for (const [index, object] of objects.entries()) {
    options.progress?.({ of: "files", done: index, total: objects.length });
    const hash = createHash("sha256");
    try {
      for await (const chunk of openObject(folder, object, options.identities)) hash.update(chunk);
      if (hash.digest("hex") !== object.sha256)
        faults.push(`${object.path} does not have the content of ${object.key}`);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      faults.push(error.message);
    }
  }
  return { manifest, faults };
}
