import "server-only";
import { timingSafeEqual } from "node:crypto";
import { loadTokenActor } from "@/lib/auth/actor";
import { db } from "@/lib/db/client";
import type { AppCenterUpload, Prisma } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { newId } from "@/lib/kernel/ids";
import type { TokenActor } from "@/lib/permissions/actor";

/** How many uploads of a token are known by their numbers. Its releases have numbers of their own. */
export const KEPT_UPLOADS = 10_000;

/**
 * Begins an upload of a token. One that becomes no release is removed by the sweep, the oldest beyond `KEPT_UPLOADS` at once.
 * @returns its ID, and the secret with which its parts are sent
 */
export async function beginUpload(upload: {
  tokenId: string;
  version?: string;
  buildNumber?: string;
  now: Date;
}): Promise<{ id: string; secret: string }> {
  const { now, ...facts } = upload;
  const id = newId();
  const secret = randomToken();
  await db.appCenterUpload.create({ data: { ...facts, id, secretHash: hashToken(secret), createdAt: now } });
  await queryRows(
    db,
    sql`
      DELETE FROM "AppCenterUpload" WHERE "id" IN (
        SELECT u."id" FROM "AppCenterUpload" u WHERE u."tokenId" = ${upload.tokenId}::uuid
        ORDER BY u."number" DESC OFFSET ${KEPT_UPLOADS}::int
        FOR UPDATE SKIP LOCKED
      )`,
  );
  return { id, secret };
}

/** The upload with an ID, if the secret is its own. */
export async function uploadOfSecret(id: string, secret: string): Promise<AppCenterUpload | null> {
  const upload = await db.appCenterUpload.findUnique({ where: { id } });
  return upload && timingSafeEqual(upload.secretHash, hashToken(secret)) ? upload : null;
}

/** The token that began an upload, with its current rights. @throws ApiError invalid_token */
export function actorOfUpload({ tokenId }: AppCenterUpload, now: Date): Promise<TokenActor> {
  return loadTokenActor(db, tokenId, now);
}

/** The upload of a token with an ID or a number. */
export function findUpload(tokenId: string, of: { id: string } | { number: bigint }): Promise<AppCenterUpload | null> {
  return db.appCenterUpload.findFirst({ where: { ...of, tokenId } });
}

export function updateUpload(id: string, data: Prisma.AppCenterUploadUncheckedUpdateInput): Promise<AppCenterUpload> {
  return db.appCenterUpload.update({ where: { id }, data });
}
