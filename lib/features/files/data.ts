import "server-only";
import type { Db } from "@/lib/db/client";
import { invalidField } from "@/lib/kernel/errors";
import { claimFile, releaseFiles, removeFile } from "@/lib/storage/files";

/**
 * Takes an uploaded image into use. An image that is already in use can be used again.
 * @param field where the form shows a wrong one
 * @throws ApiError validation_failed if there is no such image
 */
export async function claimImage(tx: Db, fileId: string, field: string): Promise<void> {
  const file = await tx.file.findFirst({ where: { id: fileId, purpose: "image" }, select: { id: true } });
  if (!file || !(await claimFile(tx, fileId))) throw invalidField(field, "unknownImage");
}

/**
 * Releases images that a row no longer refers to; call it after the row was changed.
 * @returns the work to do after the commit
 */
export async function dropImages(tx: Db, fileIds: readonly (string | null)[]): Promise<() => Promise<void>> {
  const files = await releaseFiles(tx, fileIds);
  return async () => {
    for (const { fileId, storageKey } of files) await removeFile(fileId, storageKey);
  };
}

/** Images of one person that are kept without being in use. */
export const MAX_UNUSED_IMAGES = 20;

/**
 * Marks the oldest images that a person uploaded and that nothing uses, beyond `MAX_UNUSED_IMAGES`.
 * @returns the work to do after the commit
 */
export async function dropUnusedImages(tx: Db, userId: string): Promise<() => Promise<void>> {
  const superfluous = await tx.file.findMany({
    where: { createdBy: userId, purpose: "image", state: "pending", sha256: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: MAX_UNUSED_IMAGES,
    select: { id: true, storageKey: true },
  });
  // One that is taken into use at the same moment is no longer pending.
  const marked = await tx.file.updateManyAndReturn({
    where: { id: { in: superfluous.map(({ id }) => id) }, state: "pending" },
    data: { state: "deleting" },
    select: { id: true, storageKey: true },
  });
  return async () => {
    for (const { id, storageKey } of marked) await removeFile(id, storageKey);
  };
}

export function findFile(db: Db, id: string) {
  return db.file.findFirst({ where: { id, state: { not: "deleting" }, sha256: { not: null } } });
}
