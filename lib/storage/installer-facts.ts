import "server-only";
import { createHash } from "node:crypto";
import {
  entitlementsSchema,
  type Installer,
  installerDetails,
  type SymbolImage,
  symbolImageSchema,
  ungrantedEntitlements as ungrantedOf,
} from "@slipway/installers";
import { z } from "zod";
import type { Db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { hex } from "@/lib/kernel/hex";
import { BEFORE_ALL_IDS } from "@/lib/kernel/ids";
import { hashUdids } from "@/lib/keys/udid-hash";
import { type Claims, inspectInstallerOf, readBinariesOf, readSignatureOf, type StoredInstaller } from "./inspection";

/** The version of the facts. Increase it when an inspection reads a new fact that older releases need, too. */
const FACTS_VERSION = 4;

/** Installers that are read before the database is asked for more. */
const BATCH = 50;

/** The caller of the job's inspections, which take turns with those of users. */
const CALLER = "installer-facts";

/** What is stored of an installer when a release is published. */
export interface PublishedFacts {
  deviceHashes: Uint8Array<ArrayBuffer>[];
  isPending: boolean;
}

/** The facts of an installer that was just inspected. Its programs are read by the job, because that takes longer. */
export async function factsOfInspection(installer: Installer): Promise<PublishedFacts> {
  if (installer.kind !== "ipa") return { deviceHashes: [], isPending: false };
  return { deviceHashes: await hashUdids(installer.profileDevices), isPending: true };
}

/** Stores the facts of the installer of a new release. A file that is published again keeps its facts. */
export async function storePublishedFacts(
  tx: Db,
  fileId: string,
  { deviceHashes, isPending }: PublishedFacts,
  now: Date,
): Promise<void> {
  await tx.installerFacts.createMany({
    data: [{ fileId, version: FACTS_VERSION, readAt: now, deviceHashes, isPending }],
    skipDuplicates: true,
  });
}

/** The stored facts of an installer that verdicts are made of. */
export interface StoredFacts {
  /** Keyed hashes of the devices of its profile (`hashUdid`), in hexadecimal; null if the file is not read yet. */
  deviceHashes: string[] | null;
  /** The entitlements that the app claims; null if they are not known. */
  claims: Claims | null;
  /** Apple answered within a day that the certificate which signed is revoked. False if it was not asked, or did not answer. */
  certificateRevoked: boolean;
}

/** Of a file that is not read yet. */
export const NO_FACTS: StoredFacts = { deviceHashes: null, claims: null, certificateRevoked: false };

async function readFacts(db: Db, fileId: Sql): Promise<StoredFacts> {
  const [row] = await queryRows<{
    deviceHashes: Uint8Array[];
    claims: unknown;
    failure: string | null;
    isRevoked: boolean;
  }>(
    db,
    sql`
      SELECT i."deviceHashes", i."claims", i."failure",
        coalesce(c."status" = 'revoked' AND c."validUntil" > now(), false) AS "isRevoked"
      FROM "InstallerFacts" i LEFT JOIN "SigningCertificate" c ON c."id" = i."signerId" WHERE i."fileId" = ${fileId}`,
    { prepared: true },
  );
  if (!row || row.failure !== null) return NO_FACTS;
  const claims = entitlementsSchema.safeParse(row.claims);
  const hashes = row.deviceHashes.map(hex);
  const certificateRevoked = env.APPLE_REVOCATION_CHECK && row.isRevoked;
  return { deviceHashes: hashes, claims: claims.success ? claims.data : null, certificateRevoked };
}

/** The facts of the installer of a release, by its file. */
export function readInstallerFacts(db: Db, fileId: string): Promise<StoredFacts> {
  return readFacts(db, sql`${fileId}::uuid`);
}

/** The facts of the installer of a release. */
export function readFactsOfRelease(db: Db, releaseId: string): Promise<StoredFacts> {
  return readFacts(db, sql`(SELECT r."fileId" FROM "Release" r WHERE r."id" = ${releaseId}::uuid)`);
}

const binariesSchema = z.array(symbolImageSchema);

/** What is known of the programs of an app. */
export interface StoredBinaries {
  /** `pending` until the job has read them; `unknown` if the installer cannot be read. */
  state: "known" | "pending" | "unknown";
  binaries: SymbolImage[];
}

/** The programs of the `.ipa` of a file, with their UUIDs. */
export async function readStoredBinaries(db: Db, fileId: string): Promise<StoredBinaries> {
  const [row] = await queryRows<{ binaries: unknown; isRead: boolean }>(
    db,
    sql`
      SELECT "binaries", NOT "isPending" AND "version" >= ${FACTS_VERSION} AS "isRead" FROM "InstallerFacts"
      WHERE "fileId" = ${fileId}::uuid`,
    { prepared: true },
  );
  const binaries = binariesSchema.safeParse(row?.binaries);
  if (binaries.success) return { state: "known", binaries: binaries.data };
  return { state: row?.isRead ? "unknown" : "pending", binaries: [] };
}

/** The entitlements that an app claims and its profile does not grant; none where the claims are not known. */
export function ungrantedEntitlements(
  claims: Claims | null,
  installer: { kind: string; entitlements?: Claims },
): string[] {
  return claims && installer.entitlements ? ungrantedOf(claims, installer.entitlements) : [];
}

interface UnreadRow {
  id: string;
  storageKey: string;
  name: string;
  size: bigint;
  /** Only the programs are still to be read. */
  isPending: boolean;
}

/** Installers of releases whose facts are not read, or were read by an older version. */
const UNREAD = sql`
  FROM "File" f LEFT JOIN "InstallerFacts" i ON i."fileId" = f."id"
  WHERE f."purpose" = 'installer' AND f."state" = 'ready'
    AND (i."fileId" IS NULL OR i."isPending" OR i."version" < ${FACTS_VERSION})
    AND EXISTS (SELECT 1 FROM "Release" r WHERE r."fileId" = f."id")`;

/** How many installers are still to be read. */
export async function countUnreadInstallers(db: Db): Promise<number> {
  const [row] = await queryRows<{ count: bigint }>(db, sql`SELECT count(*) AS "count" ${UNREAD}`);
  return Number(row?.count ?? 0);
}

function readUnread(db: Db, after: string): Promise<UnreadRow[]> {
  return queryRows<UnreadRow>(
    db,
    sql`
      SELECT f."id", f."storageKey", f."name", f."size",
        coalesce(i."isPending" AND i."version" = ${FACTS_VERSION}, false) AS "isPending"
      ${UNREAD} AND f."id" > ${after}::uuid ORDER BY f."id" LIMIT ${BATCH}::int`,
  );
}

/** Stores again what the releases of a file contain of their installer: an older inspection read less. */
async function storeDetails(db: Db, fileId: string, installer: Installer): Promise<void> {
  const details = JSON.stringify(installerDetails(installer));
  await queryRows(
    db,
    sql`
      UPDATE "Release" SET "installer" = ${details}::jsonb
      WHERE "fileId" = ${fileId}::uuid AND "installer" <> ${details}::jsonb`,
  );
}

interface ReadFacts {
  deviceHashes?: Uint8Array<ArrayBuffer>[];
  claims?: Claims | null;
  binaries?: SymbolImage[] | null;
  /** The certificate that signed and those of its authorities, DER; empty if they are not known. */
  chain?: Uint8Array[];
  failure: string | null;
}

/** Stores what was read of a file, unless it has been deleted since. */
async function storeFacts(
  db: Db,
  fileId: string,
  { claims, binaries, chain, ...facts }: ReadFacts,
  now: Date,
): Promise<void> {
  await queryRows(
    db,
    sql`
      INSERT INTO "InstallerFacts" ("fileId", "version", "readAt", "deviceHashes", "isPending")
      SELECT "id", 0, ${now}::timestamptz, '{}', true FROM "File" WHERE "id" = ${fileId}::uuid ON CONFLICT DO NOTHING`,
  );
  const json = { ...(claims && { claims }), ...(binaries && { binaries }) };
  const data = { ...facts, ...json, version: FACTS_VERSION, readAt: now, isPending: false };
  await db.installerFacts.updateMany({ where: { fileId }, data });
  if (chain) await storeSigner(db, fileId, chain, now);
}

/** Stores which certificate signed the installer. It is asked about for the first time when the job of revocations runs next. */
async function storeSigner(db: Db, fileId: string, chain: readonly Uint8Array[], now: Date): Promise<void> {
  const [certificate] = chain;
  const id = certificate ? createHash("sha256").update(certificate).digest("hex") : null;
  await queryRows(
    db,
    sql`
      WITH stored AS (
        INSERT INTO "SigningCertificate" ("id", "chain", "askAt")
        SELECT ${id}::char(64), ${chain.map((one) => Buffer.from(one))}::bytea[], ${now}::timestamptz WHERE ${id}::text IS NOT NULL
        ON CONFLICT ("id") DO UPDATE SET "id" = excluded."id" RETURNING "id"
      )
      UPDATE "InstallerFacts" SET "signerId" = (SELECT "id" FROM stored) WHERE "fileId" = ${fileId}::uuid`,
  );
}

/** Reads one installer, and stores its facts and those of its releases. @returns whether it could be read */
async function readOne(db: Db, row: UnreadRow, { now, signal }: { now: Date; signal?: AbortSignal }): Promise<boolean> {
  const file: StoredInstaller = { storageKey: row.storageKey, name: row.name, size: Number(row.size) };
  const caller = { id: CALLER, signal };
  let binaries: SymbolImage[] | null = null;
  try {
    const installer = row.isPending ? null : await inspectInstallerOf(file, caller);
    const hashes = installer ? { deviceHashes: (await factsOfInspection(installer)).deviceHashes } : {};
    const isIpa = installer === null || installer.kind === "ipa";
    // Before the signature, for which a large executable is read to its end.
    binaries = isIpa ? await readBinariesOf(file, caller) : null;
    const { claims = null, chain = [] } = (isIpa && (await readSignatureOf(file, caller))) || {};
    if (installer) await storeDetails(db, row.id, installer);
    await storeFacts(db, row.id, { ...hashes, claims, binaries, chain, failure: null }, now);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "invalid_installer") throw error;
    // Facts that an earlier run read stay, as those of a file whose executable takes too long.
    const failure = row.isPending ? null : (error.detailKey ?? error.code);
    await storeFacts(db, row.id, { binaries, failure }, now);
    return false;
  }
}

/** How far the job is. */
export interface ReadingProgress {
  total: number;
  done: number;
  /** Of these, installers that were refused: an older version of the inspection accepted them. */
  refused: number;
}

/**
 * Reads the installers whose facts are missing, one after the other, by ranges. It may be stopped at any time: each
 * installer is stored when it is read, and another run continues with the rest. An installer that the store does not
 * return does not stop the others.
 * @param options.onProgress is called before the first and after each installer
 * @throws AggregateError of the errors of the store; the signal's reason
 */
export async function readMissingFacts(
  db: Db,
  { now, signal, onProgress }: { now(): Date; signal?: AbortSignal; onProgress?(progress: ReadingProgress): void },
): Promise<ReadingProgress> {
  const progress: ReadingProgress = { total: await countUnreadInstallers(db), done: 0, refused: 0 };
  onProgress?.({ ...progress });
  const failures: unknown[] = [];
  for (let last = BEFORE_ALL_IDS; ; ) {
    const rows = await readUnread(db, last);
    for (const row of rows) {
      signal?.throwIfAborted();
      try {
        if (!(await readOne(db, row, { now: now(), signal }))) progress.refused += 1;
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(error);
      }
      last = row.id;
      progress.done += 1;
      onProgress?.({ ...progress });
    }
    if (rows.length < BATCH) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, "some installers could not be read again");
  return progress;
}
