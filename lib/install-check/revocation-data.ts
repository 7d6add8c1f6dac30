import "server-only";
import type { OcspAnswer } from "@slipway/certificates/cms";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { DAY_MS } from "@/lib/kernel/time";

/** A certificate that signed an app, with the last answer about it. */
export interface StoredSigner {
  id: string;
  /** The certificate and those of its authorities, DER. */
  chain: Uint8Array[];
  status: OcspAnswer["status"] | null;
  revokedAt: Date | null;
  validUntil: Date | null;
}

const COLUMNS = sql`c."id", c."chain", c."status"::text AS "status", c."revokedAt", c."validUntil"`;

/** Certificates of published apps that are due to be asked about. */
export function dueSigners(from: Db, now: Date, limit: number): Promise<StoredSigner[]> {
  return queryRows<StoredSigner>(
    from,
    sql`
      SELECT ${COLUMNS} FROM "SigningCertificate" c
      WHERE c."askAt" <= ${now}::timestamptz AND EXISTS (
        SELECT 1 FROM "InstallerFacts" i JOIN "Release" r ON r."fileId" = i."fileId" WHERE i."signerId" = c."id")
      ORDER BY c."askAt", c."id" LIMIT ${limit}::int`,
  );
}

/** The certificate that signed the app of a release; null if it is not known. */
export async function signerOfRelease(from: Db, releaseId: string): Promise<StoredSigner | null> {
  const [row] = await queryRows<StoredSigner>(
    from,
    sql`
      SELECT ${COLUMNS} FROM "Release" r JOIN "InstallerFacts" i ON i."fileId" = r."fileId"
        JOIN "SigningCertificate" c ON c."id" = i."signerId"
      WHERE r."id" = ${releaseId}::uuid`,
  );
  return row ?? null;
}

/** Keeps an answer, unless a later one is kept. */
export async function keepAnswer(
  tx: Db,
  id: string,
  { status, revokedAt, validUntil, answeredAt, askAt }: OcspAnswer & { answeredAt: Date; askAt: Date },
): Promise<void> {
  await queryRows(
    tx,
    sql`
      UPDATE "SigningCertificate"
      SET "status" = ${status}::"RevocationStatus", "revokedAt" = ${revokedAt}::timestamptz,
        "validUntil" = ${validUntil}::timestamptz, "answeredAt" = ${answeredAt}::timestamptz,
        "askAt" = ${askAt}::timestamptz, "failure" = NULL
      WHERE "id" = ${id} AND coalesce("answeredAt" <= ${answeredAt}::timestamptz, true)`,
  );
}

/** Keeps that there was no answer. An earlier one counts until its end. */
export async function keepFailure(
  tx: Db,
  id: string,
  { failure, askAt }: { failure: string; askAt: Date },
): Promise<void> {
  await queryRows(
    tx,
    sql`UPDATE "SigningCertificate" SET "failure" = ${failure}, "askAt" = ${askAt}::timestamptz WHERE "id" = ${id}`,
  );
}

/** Deletes the certificates of apps that are gone for a day. */
export async function deleteUnusedSigners(tx: Db, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`
      DELETE FROM "SigningCertificate" c
      WHERE c."askAt" < ${new Date(now.getTime() - DAY_MS)}::timestamptz
        AND NOT EXISTS (SELECT 1 FROM "InstallerFacts" i WHERE i."signerId" = c."id")`,
  );
}
