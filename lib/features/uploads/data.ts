import "server-only";
import { kindFromFileName } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { ApiError } from "@/lib/kernel/errors";
import type { Actor } from "@/lib/permissions/actor";
import { environmentsWithin, reachOf } from "@/lib/permissions/reach";

const withFile = { file: true } satisfies Prisma.UploadInclude;
export type UploadRow = Prisma.UploadGetPayload<{ include: typeof withFile }>;

/** An installer in the store that its caller may publish. */
export interface StoredInstaller {
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
  if (kindFromFileName(name) === null) throw new ApiError("unsupported_media_type", { detailKey: "detailInstaller" });
}

/** The id of the user or token who begins an upload. */
export function ownerId(actor: Actor): string {
  if (actor.kind === "anonymous") throw new ApiError("not_authenticated");
  return actor.kind === "user" ? actor.userId : actor.tokenId;
}

/** Who begins an upload, in one text. */
export function ownerOf(actor: Actor): string {
  return `${actor.kind}:${ownerId(actor)}`;
}

/** An upload of the caller's own that has not expired; null where there is none. */
export function findUpload(db: Db, actor: Actor, id: string, now: Date): Promise<UploadRow | null> {
  return db.upload.findFirst({ where: { id, createdBy: ownerOf(actor), expiresAt: { gt: now } }, include: withFile });
}

/** As `findUpload`, as long as parts may be sent. */
export async function findOpenUpload(db: Db, actor: Actor, id: string, now: Date): Promise<UploadRow | null> {
  const upload = await findUpload(db, actor, id, now);
  return upload?.file.state === "pending" && upload.file.sha256 === null ? upload : null;
}

export async function createUpload(db: Db, data: Prisma.UploadUncheckedCreateInput): Promise<void> {
  await db.upload.create({ data });
}

/**
 * Says what is in a finished upload, and until when it waits to be published.
 * @throws ApiError not_found where it was given up meanwhile
 */
export async function finishUpload(
  tx: Db,
  upload: UploadRow,
  content: { size: number; sha256: string },
  expiresAt: Date,
): Promise<void> {
  const { count } = await tx.file.updateMany({
    where: { id: upload.fileId, state: { not: "deleting" } },
    data: { size: BigInt(content.size), sha256: content.sha256 },
  });
  if (count === 0) throw new ApiError("not_found");
  await tx.upload.update({ where: { id: upload.id }, data: { expiresAt } });
}

/** Forgets an upload, and marks its file for removal unless it is in use. @returns whether it was marked */
export async function abandonUpload(tx: Db, upload: UploadRow): Promise<boolean> {
  await tx.upload.deleteMany({ where: { id: upload.id } });
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
function published(actor: Actor): Prisma.FileWhereInput {
  const environment = environmentsWithin(reachOf(actor, "release:download"));
  return { purpose: "installer", state: "ready", installerOf: { some: { environment } } };
}

function toStored(file: Prisma.FileGetPayload<object>): StoredInstaller {
  const { id, storageKey, name, size, sha256 } = file;
  return { fileId: id, storageKey, name, size: Number(size), sha256: sha256 as string };
}

/** Some bytes that are published already where the caller may download releases; null where they are not. */
export async function findPublishedBytes(
  db: Db,
  actor: Actor,
  bytes: { sha256: string; size: number },
): Promise<StoredInstaller | null> {
  const file = await db.file.findFirst({
    where: { ...published(actor), sha256: bytes.sha256, size: BigInt(bytes.size) },
    orderBy: { id: "asc" },
  });
  return file && toStored(file);
}

/**
 * An installer that a caller may publish by its id: from a finished upload of their own, or published already where
 * they may download releases. Null for any other.
 */
export async function findPublishable(
  db: Db,
  actor: Actor,
  fileId: string,
  now: Date,
): Promise<StoredInstaller | null> {
  const upload = { is: { createdBy: ownerOf(actor), expiresAt: { gt: now } } };
  const file = await db.file.findFirst({
    where: {
      id: fileId,
      sha256: { not: null },
      OR: [{ purpose: "installer", state: "pending", upload }, published(actor)],
    },
  });
  return file && toStored(file);
}
