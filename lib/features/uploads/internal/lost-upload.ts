import "server-only";
import type { Db } from "@/lib/db/client";
import { moveUpload, type UploadRow } from "@/lib/features/uploads/data";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { type AuthenticatedActor, sharerOf } from "@/lib/permissions/actor";
import { storage } from "@/lib/storage";
import { StorageError } from "@/lib/storage/driver";
import { storageKeyFor } from "@/lib/storage/files";

/** Whether the store has neither the parts of an upload nor its whole object. */
export async function isLost({ file: { storageKey }, storeUploadId, size }: UploadRow): Promise<boolean> {
  try {
    await storage().listParts(storageKey, storeUploadId);
    return false;
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure !== "missing") throw error;
  }
  return (await storage().head(storageKey))?.size !== Number(size);
}

/**
 * Begins an upload again in the store, which has lost it, so that its parts can be sent again. The object gets another
 * key, because the store may find the lost one after all.
 * @param actor the owner of the upload
 * @returns the upload as it is now; null if it has ended, or another call has begun it again
 */
export async function beginAgain(db: Db, upload: UploadRow, actor: AuthenticatedActor): Promise<UploadRow | null> {
  const { file, partSize } = upload;
  const storageKey = storageKeyFor(file.purpose, newId());
  const storeUploadId = await storage().createMultipart(storageKey, {
    contentType: file.contentType,
    size: Number(upload.size),
    partSize,
    owner: sharerOf(actor),
  });
  const isMoved = await moveUpload(db, upload, { storageKey, storeUploadId });
  const unused = isMoved
    ? { storageKey: file.storageKey, storeUploadId: upload.storeUploadId }
    : { storageKey, storeUploadId };
  await storage()
    .abortMultipart(unused.storageKey, unused.storeUploadId)
    .catch((error: unknown) => log.warn({ err: error, uploadId: upload.id }, "an upload was left to the sweeper"));
  if (!isMoved) return null;
  log.warn({ uploadId: upload.id }, "the store lost an upload; its parts are sent again");
  return { ...upload, storeUploadId, file: { ...file, storageKey } };
}
