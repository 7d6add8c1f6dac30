import "server-only";
import { type Db, db } from "@/lib/db/client";
import type { FilePurpose } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import type { ByteStream } from "@/lib/http/chunks";
import { ReceivedFile } from "@/lib/http/received-file";
import type { ApiError } from "@/lib/kernel/errors";
import { safeFileName } from "@/lib/kernel/file-name";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { doneWithin } from "@/lib/kernel/timeout";
import { StorageError } from "./driver";
import { storage } from "./index";
import { isRemovalPaused } from "./removal";

export type { FilePurpose };

const FOLDERS: Record<FilePurpose, string> = {
  image: "images",
  installer: "installers",
  screenshot: "screenshots",
  attachment: "attachments",
};

/**
 * How long a failed call waits for the removal of what it stored. If the database or the store is unavailable, its
 * caller has waited once already.
 */
const CLEANUP_TIMEOUT_MS = 500;

/** The key under which the bytes of a file are stored. No part of it comes from a caller. */
export function storageKeyFor(purpose: FilePurpose, fileId: string): string {
  return `${FOLDERS[purpose]}/${fileId}`;
}

/** A name as it is kept: the last segment of a path, made safe. */
function keptName(name: string): string {
  return safeFileName(name.split(/[\\/]/).at(-1) ?? "");
}

/** A file that is stored, or an upload that has begun, until a command has claimed it. */
export interface StoredFile {
  fileId: string;
  storageKey: string;
  /** Of an upload in parts: the store's id for it. */
  storeUploadId?: string;
}

/** Creates the row of a file whose bytes have not arrived. */
export async function createPendingFile(file: {
  name: string;
  contentType: string;
  purpose: FilePurpose;
  /** The user or token whose own it is until a command claims it. */
  createdBy?: string;
}): Promise<{ fileId: string; storageKey: string; name: string; contentType: string }> {
  const id = newId();
  const storageKey = storageKeyFor(file.purpose, id);
  const name = keptName(file.name);
  const contentType = file.contentType.slice(0, 127);
  const { purpose, createdBy } = file;
  await db.file.create({ data: { id, storageKey, name, contentType, purpose, createdBy } });
  return { fileId: id, storageKey, name, contentType };
}

/**
 * Begins an upload in parts: the row of its file, as `pending`, and the upload in the store.
 * @throws StorageError; nothing is left then
 */
export async function beginUpload(file: {
  name: string;
  contentType: string;
  purpose: FilePurpose;
  createdBy: string;
  /** Who has one share of the room for uploads. */
  sharer: string;
  /** Bytes. */
  size: number;
  /** Bytes. */
  partSize: number;
}): Promise<Required<StoredFile>> {
  const { fileId, storageKey, contentType } = await createPendingFile(file);
  try {
    const { size, partSize, sharer: owner } = file;
    const storeUploadId = await storage().createMultipart(storageKey, { contentType, size, partSize, owner });
    return { fileId, storageKey, storeUploadId };
  } catch (error) {
    await doneWithin(abandonFile(fileId, storageKey), CLEANUP_TIMEOUT_MS);
    throw error;
  }
}

/**
 * Stores a file while it arrives. Its row is created as `pending` before the first byte is stored, so that the sweeper
 * finds what a crash leaves. A command claims the file with `claimFile`.
 * @throws StorageError, or the given error if more than `maxBytes` arrive
 */
export async function receiveFile(file: {
  name: string;
  contentType: string;
  body: ByteStream;
  purpose: FilePurpose;
  /** Bytes. */
  maxBytes: number;
  /** The approximate size that the sender has announced, in bytes; undefined if it is not known. */
  expectedBytes?: number;
  /** The user or token whose own it is until a command claims it. */
  createdBy?: string;
  tooLarge(): ApiError;
  signal?: AbortSignal;
  /** Whether it was made of a file that has arrived, so that a slow store has more time. */
  isPatient?: boolean;
}): Promise<ReceivedFile> {
  const { fileId, storageKey, name, contentType } = await createPendingFile(file);
  try {
    const { size, sha256 } = await storage().put(storageKey, file.body, {
      contentType,
      maxBytes: file.maxBytes,
      expectedBytes: file.expectedBytes,
      signal: file.signal,
      isPatient: file.isPatient,
    });
    await db.file.update({ where: { id: fileId }, data: { size: BigInt(size), sha256 } });
    return new ReceivedFile({ fileId, storageKey, name, contentType, size, sha256 });
  } catch (error) {
    await doneWithin(abandonFile(fileId, storageKey), CLEANUP_TIMEOUT_MS);
    throw error instanceof StorageError && error.failure === "too_large" ? file.tooLarge() : error;
  }
}

/**
 * Removes the object and the row of a file whose ID was given to no caller. The sweeper may have removed the row while
 * the bytes arrived. A failure is logged and left to the sweeper.
 */
async function abandonFile(fileId: string, storageKey: string): Promise<void> {
  try {
    await db.file.updateMany({ where: { id: fileId }, data: { state: "deleting" } });
    await removeFile(fileId, storageKey);
  } catch (error) {
    log.warn({ err: error, fileId }, "a file that did not arrive whole was left to the sweeper");
  }
}

/**
 * Removes files that were stored, and gives up uploads that were begun, for a call that failed. Only pending ones go: a file that a command has claimed is
 * in use. A failure is logged and left to the sweeper.
 */
export async function discardFiles(files: readonly StoredFile[]): Promise<void> {
  await doneWithin(discard(files), CLEANUP_TIMEOUT_MS);
}

async function discard(files: readonly StoredFile[]): Promise<void> {
  for (const { fileId, storageKey, storeUploadId } of files) {
    try {
      const { count } = await db.file.updateMany({
        where: { id: fileId, state: "pending" },
        data: { state: "deleting" },
      });
      if (count === 0) continue;
      if (storeUploadId !== undefined) await storage().abortMultipart(storageKey, storeUploadId);
      await removeFile(fileId, storageKey);
    } catch (error) {
      log.warn({ err: error, fileId }, "a file of a failed call was left to the sweeper");
    }
  }
}

/**
 * Marks a complete file as in use, also if it is in use already. Its row stays locked until the transaction ends, so
 * that no other transaction releases the file.
 * @returns false if it is not complete, or is being removed
 */
export async function claimFile(tx: Db, fileId: string): Promise<boolean> {
  const { count } = await tx.file.updateMany({
    where: { id: fileId, state: { not: "deleting" }, sha256: { not: null } },
    data: { state: "ready" },
  });
  return count === 1;
}

/**
 * Releases files that a row no longer refers to, in the transaction that removed the reference. Files that nothing else
 * refers to are marked `deleting`; pass the result to `removeFile` after the commit.
 */
export async function releaseFiles(tx: Db, fileIds: readonly (string | null)[]): Promise<StoredFile[]> {
  const ids = fileIds.filter((id) => id !== null);
  if (ids.length === 0) return [];
  // A transaction that takes one of them into use at the same moment runs before this one or finds it removed.
  await queryRows(tx, sql`SELECT 1 FROM "File" WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR UPDATE`);
  const unused = {
    id: { in: ids },
    state: "ready" as const,
    installerOf: { none: {} },
    releaseIconOf: { none: {} },
    binnedInstallerOf: { none: {} },
    binnedIconOf: { none: {} },
    universalOf: { none: {} },
    binnedUniversalOf: { none: {} },
    avatarOf: { none: {} },
    platformLogoOf: { none: {} },
    appLogoOf: { none: {} },
    appConfigLogoOf: { none: {} },
    screenshotOf: { none: {} },
    attachmentOf: { none: {} },
    binnedAttachmentOf: { none: {} },
  };
  const files = await tx.file.findMany({ where: unused, select: { id: true, storageKey: true } });
  await tx.file.updateMany({ where: { id: { in: files.map(({ id }) => id) } }, data: { state: "deleting" } });
  return files.map(({ id, storageKey }) => ({ fileId: id, storageKey }));
}

/**
 * Removes a file that is marked `deleting`: its bytes first, then its row, so that no object is left without a row.
 * While a backup copies objects, the file is left to the sweeper.
 */
export async function removeFile(fileId: string, storageKey: string): Promise<void> {
  if (await isRemovalPaused()) return;
  await storage().delete(storageKey);
  await db.file.deleteMany({ where: { id: fileId, state: "deleting" } });
}
