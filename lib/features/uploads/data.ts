import "server-only";
import { fileNameError } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { type AuthenticatedActor, ownerOf } from "@/lib/permissions/actor";
import type { OwnedTarget } from "@/lib/permissions/authorize";
import { reachOf } from "@/lib/permissions/reach";
import { environmentWhere } from "@/lib/permissions/visibility";
import { isBeingJoined, joiningUploadId } from "@/lib/storage/upload-id";
import { MAX_OPEN_UPLOADS, maxOpenBytes } from "./rules";

const withFile = { file: true } satisfies Prisma.UploadInclude;
export type UploadRow = Prisma.UploadGetPayload<{ include: typeof withFile }>;

/** A file in the store that its caller may publish. */
interface StoredUpload {
  fileId: string;
  storageKey: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Refuses a file that is no installer by its name.
 * @throws ApiError unsupported_media_type
 */
export function requireInstallerName(name: string): void {
  const problem = fileNameError(name);
  if (problem)
    throw new ApiError("unsupported_media_type", { detailKey: problem.reason, params: { ...problem.params } });
}

/** An upload that has not expired; null if there is none. */
export function findUpload(db: Db, id: string, now: Date): Promise<UploadRow | null> {
  return db.upload.findFirst({ where: { id, expiresAt: { gt: now } }, include: withFile });
}

/** The target of a call on an upload. */
export async function uploadTarget(
  db: Db,
  id: string,
  now: Date,
): Promise<(OwnedTarget & { upload: UploadRow }) | null> {
  const upload = await findUpload(db, id, now);
  return upload && { owner: upload.createdBy, upload };
}

/** Whether parts of an upload may be sent. */
export function isOpenUpload({ file }: UploadRow): boolean {
  return file.state === "pending" && file.sha256 === null;
}

/**
 * Refuses one more upload where its owner has too many open, or has announced too many bytes with them.
 * @param size of the upload to be begun, in bytes
 * @throws ApiError too_many_uploads with the seconds until the first of them expires
 */
export async function requireFewOpen(db: Db, owner: string, size: number, now: Date): Promise<void> {
  const { _count, _sum, _min } = await db.upload.aggregate({
    where: { createdBy: owner, expiresAt: { gt: now }, file: { state: "pending" } },
    _count: true,
    _sum: { size: true },
    _min: { expiresAt: true },
  });
  const retryAfter = Math.ceil(((_min.expiresAt ?? now).getTime() - now.getTime()) / 1000);
  if (_count >= MAX_OPEN_UPLOADS) {
    throw new ApiError("too_many_uploads", { params: { limit: MAX_OPEN_UPLOADS }, retryAfter });
  }
  const maxBytes = maxOpenBytes(env.MAX_UPLOAD_BYTES);
  if (Number(_sum.size ?? 0) + size > maxBytes) {
    const limit = Math.floor(maxBytes / 1_000_000);
    throw new ApiError("too_many_uploads", { detailKey: "detailSize", params: { limit }, retryAfter });
  }
}

/**
 * Keeps an upload that was begun.
 * @throws ApiError too_many_uploads if its owner has begun too many at the same moment
 */
export async function createUpload(
  tx: Db,
  data: Prisma.UploadUncheckedCreateInput & { createdAt: Date },
): Promise<void> {
  await lockUntilCommit(tx, `uploads:${data.createdBy}`);
  await requireFewOpen(tx, data.createdBy, Number(data.size), data.createdAt);
  await tx.upload.create({ data });
}

/**
 * Records that the parts of an upload are about to be joined. A call that is ending the upload at this moment is not waited for.
 * @returns the upload as it is now, and whether another call has begun to join or end it before; null if it was aborted
 */
export async function recordJoining(
  db: Db,
  upload: UploadRow,
  parts: readonly { etag: string }[],
  now: Date,
): Promise<{ upload: UploadRow; wasBegun: boolean } | null> {
  const { id, storeUploadId: before } = upload;
  const storeUploadId = joiningUploadId(before, parts);
  const recorded = await queryRows(
    db,
    sql`UPDATE "Upload" SET "storeUploadId" = ${storeUploadId} WHERE "id" = (
      SELECT "id" FROM "Upload" WHERE "id" = ${id}::uuid AND "storeUploadId" = ${before} FOR UPDATE SKIP LOCKED
    ) RETURNING "id"`,
  );
  if (recorded.length === 1) return { upload: { ...upload, storeUploadId }, wasBegun: isBeingJoined(before) };
  const current = await findUpload(db, id, now);
  return current && { upload: current, wasBegun: true };
}

/**
 * Moves an upload to another key and upload of the store, which has lost its parts.
 * @returns false if it has ended, or another call has moved it
 */
export async function moveUpload(
  db: Db,
  upload: UploadRow,
  to: { storageKey: string; storeUploadId: string },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // The upload's row before the file's, as everybody locks them.
    const { id, fileId, storeUploadId, file } = upload;
    const [open] = await queryRows(tx, sql`SELECT 1 FROM "Upload" WHERE "id" = ${id}::uuid FOR UPDATE`);
    if (!open) return false;
    const { count } = await tx.file.updateMany({
      where: {
        id: fileId,
        storageKey: file.storageKey,
        state: "pending",
        sha256: null,
        upload: { is: { storeUploadId } },
      },
      data: { storageKey: to.storageKey },
    });
    if (count === 1) await tx.upload.update({ where: { id }, data: { storeUploadId: to.storeUploadId } });
    return count === 1;
  });
}

/**
 * Records what a finished upload contains, and until when it can be published.
 * @throws ApiError not_found if it was aborted, or moved to another key, in the meantime
 */
export async function finishUpload(
  tx: Db,
  upload: UploadRow,
  content: { size: number; sha256: string },
  expiresAt: Date,
): Promise<void> {
  // The upload's row before the file's, as everybody locks them.
  const renewed = await tx.upload.updateMany({ where: { id: upload.id }, data: { expiresAt } });
  const { count } = await tx.file.updateMany({
    where: { id: upload.fileId, storageKey: upload.file.storageKey, state: { not: "deleting" } },
    data: { size: BigInt(content.size), sha256: content.sha256 },
  });
  if (renewed.count === 0 || count === 0) throw new ApiError("not_found");
}

/**
 * Deletes an upload, and marks its file for removal unless it is in use.
 * @returns whether the file was marked
 * @throws ApiError not_found if another call has deleted it
 */
export async function abandonUpload(tx: Db, upload: UploadRow): Promise<boolean> {
  const forgotten = await tx.upload.deleteMany({ where: { id: upload.id } });
  if (forgotten.count === 0) throw new ApiError("not_found");
  const { count } = await tx.file.updateMany({
    where: { id: upload.fileId, state: "pending" },
    data: { state: "deleting" },
  });
  return count === 1;
}

/**
 * Installers that are published where the caller may download releases. To read about a release is not enough:
 * published again where the caller does download, the bytes would be theirs.
 */
function published(actor: AuthenticatedActor): Prisma.FileWhereInput {
  const environment = environmentWhere.within(reachOf(actor, "release:download"));
  return { purpose: "installer", state: "ready", installerOf: { some: { environment } } };
}

function toStored(file: Prisma.FileGetPayload<object>): StoredUpload {
  const { id, storageKey, name, size, sha256 } = file;
  return { fileId: id, storageKey, name, size: Number(size), sha256: sha256 as string };
}

/** Some bytes that are published already where the caller may download releases; null if they are not. */
export async function findPublishedBytes(
  db: Db,
  actor: AuthenticatedActor,
  bytes: { sha256: string; size: number },
): Promise<StoredUpload | null> {
  const file = await db.file.findFirst({
    where: { ...published(actor), sha256: bytes.sha256, size: BigInt(bytes.size) },
    orderBy: { id: "asc" },
  });
  return file && toStored(file);
}

/**
 * An installer that a caller may publish by its id: from a finished upload of their own, also if it was published since, or
 * published where they may download releases. Null for any other.
 */
export async function findPublishable(
  db: Db,
  actor: AuthenticatedActor,
  fileId: string,
  now: Date,
): Promise<StoredUpload | null> {
  const upload = { is: { createdBy: ownerOf(actor), expiresAt: { gt: now } } };
  const file = await db.file.findFirst({
    where: {
      id: fileId,
      purpose: "installer",
      sha256: { not: null },
      OR: [{ state: { not: "deleting" }, upload }, published(actor)],
    },
  });
  return file && toStored(file);
}

/**
 * A further file of a release that a caller may add by its id: from a finished upload of their own, which several releases can
 * have, or one that the release has already. Null for any other.
 */
export async function findAttachable(
  db: Db,
  actor: AuthenticatedActor,
  { fileId, releaseId, now }: { fileId: string; releaseId: string; now: Date },
): Promise<StoredUpload | null> {
  const upload = { is: { createdBy: ownerOf(actor), expiresAt: { gt: now } } };
  const file = await db.file.findFirst({
    where: {
      id: fileId,
      purpose: "attachment",
      sha256: { not: null },
      state: { not: "deleting" },
      OR: [{ upload }, { attachmentOf: { some: { releaseId } } }],
    },
  });
  return file && toStored(file);
}
