import "server-only";
import {
  type MappingFacts,
  mappingFactsSchema,
  matchSymbols,
  type SymbolImage,
  symbolImageSchema,
} from "@slipway/installers";
import { z } from "zod";
import { cappedCount, FILTERED_COUNT_CAP, likeText, pagePosition, SEARCH_COUNT_CAP, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";
import type { Target } from "@/lib/permissions/authorize";
import type { Scope } from "@/lib/permissions/scopes";
import { groupsOfReleaseSql } from "@/lib/permissions/visibility";
import { claimFile } from "@/lib/storage/files";
import type { StoredBinaries } from "@/lib/storage/installer-facts";
import { furtherDownloadScope, mayDownload } from "./rules";
import {
  type getReleaseFilesInput,
  LISTED_IMAGES,
  type ReleaseFile,
  type ReleaseFileKind,
  type ReleaseFiles,
} from "./schema";

/** A further file of a release with its related rows. */
interface ReleaseFileRow {
  id: string;
  releaseId: string;
  fileId: string;
  kind: ReleaseFileKind;
  name: string;
  /** Bytes. */
  size: number;
  facts: unknown;
  createdAt: Date;
  file: { storageKey: string; sha256: string };
  user: { id: string; name: string } | null;
  token: { id: string; name: string } | null;
}

function readRows(from: Db, condition: Sql, page: Sql = empty): Promise<ReleaseFileRow[]> {
  return queryRows<ReleaseFileRow>(
    from,
    sql`
      SELECT rf."id", rf."releaseId", rf."fileId", rf."kind", rf."name", rf."size"::float8 AS "size", rf."facts", rf."createdAt",
        json_build_object('storageKey', f."storageKey", 'sha256', f."sha256") AS "file",
        CASE WHEN u."id" IS NOT NULL
          THEN json_build_object('id', u."id", 'name', u."firstNames" || ' ' || u."lastNames") END AS "user",
        CASE WHEN t."id" IS NOT NULL THEN json_build_object('id', t."id", 'name', t."name") END AS "token"
      FROM "ReleaseFile" rf JOIN "File" f ON f."id" = rf."fileId" LEFT JOIN "User" u ON u."id" = rf."createdByUser"
        LEFT JOIN "ApiToken" t ON t."id" = rf."createdByToken"
      WHERE ${condition} ${page}`,
  );
}

const dsymFacts = z.array(symbolImageSchema);

/** The images of a dSYM archive; none for other files. */
function imagesOf({ kind, facts }: Pick<ReleaseFileRow, "kind" | "facts">): SymbolImage[] {
  return kind === "dsym" ? dsymFacts.parse(facts) : [];
}

function symbolsOf(row: ReleaseFileRow, { state, binaries }: StoredBinaries): ReleaseFile["symbols"] {
  if (row.kind !== "dsym") return null;
  const images = imagesOf(row);
  const ofBuild = state === "known" ? new Set(binaries.map(({ uuid }) => uuid)) : null;
  const items = images
    .map((image) => ({ ...image, matched: ofBuild?.has(image.uuid) ?? null }))
    .toSorted((one, other) => Number(other.matched) - Number(one.matched));
  return {
    images: images.length,
    matched: ofBuild && items.filter(({ matched }) => matched).length,
    items: items.slice(0, LISTED_IMAGES),
  };
}

/** A further file as the API shows it to a caller with some scopes in its environment. */
export function toReleaseFile(row: ReleaseFileRow, binaries: StoredBinaries, scopes: readonly Scope[]): ReleaseFile {
  const { user, token } = row;
  return {
    id: row.id,
    releaseId: row.releaseId,
    kind: row.kind,
    name: row.name,
    size: row.size,
    sha256: row.file.sha256,
    createdAt: row.createdAt.toISOString(),
    createdBy: user ? { kind: "user", ...user } : token && { kind: "token", ...token },
    mayDownload: mayDownload(row.kind, scopes),
    symbols: symbolsOf(row, binaries),
    mapping: row.kind === "mapping" ? mappingFactsSchema.parse(row.facts) : null,
  };
}

/** What the audit log says of a further file. */
export function auditedFile({ releaseId, kind, name, size, file }: ReleaseFileRow) {
  return { releaseId, kind, name, size, sha256: file.sha256 };
}

/** A further file as the target of a call. */
interface ReleaseFileTarget extends Target {
  environmentId: string;
  file: ReleaseFileRow;
}

/** Loads a further file as the target of a call; null if it does not exist. */
export async function releaseFileTarget(from: Db, id: string): Promise<ReleaseFileTarget | null> {
  const [file] = await readRows(from, sql`rf."id" = ${id}::uuid`);
  if (!file) return null;
  const [place] = await queryRows<{ appId: string; environmentId: string; active: boolean; groups: string[] }>(
    from,
    sql`
      SELECT e."appId", e."id" AS "environmentId", e."status" = 'active' AND a."status" = 'active' AS "active",
        ${groupsOfReleaseSql(sql`r."id"`)} AS "groups"
      FROM "Release" r JOIN "Environment" e ON e."id" = r."environmentId" JOIN "App" a ON a."id" = e."appId"
      WHERE r."id" = ${file.releaseId}::uuid`,
  );
  return place ? { ...place, file } : null;
}

/** The further file of a release with these bytes and kind; null if there is none. */
export async function findFileOfBytes(
  from: Db,
  { releaseId, kind, sha256 }: { releaseId: string; kind: ReleaseFileKind; sha256: string },
): Promise<ReleaseFileRow | null> {
  const [row] = await readRows(
    from,
    sql`rf."releaseId" = ${releaseId}::uuid AND rf."kind" = ${kind}::"ReleaseFileKind" AND f."sha256" = ${sha256}`,
    sql`ORDER BY rf."createdAt", rf."id" LIMIT 1`,
  );
  return row ?? null;
}

/** How many further files a release has. */
export function countReleaseFiles(from: Db, releaseId: string): Promise<number> {
  return from.releaseFile.count({ where: { releaseId } });
}

/** Of a file that is not read. Null in JSON would be restored from the bin as NULL, which the column cannot be. */
const NO_FACTS = {};

/** Adds a file to a release that is locked. */
export async function insertReleaseFile(
  tx: Db,
  data: Pick<ReleaseFileRow, "releaseId" | "fileId" | "kind" | "name" | "size" | "createdAt"> & {
    facts: SymbolImage[] | MappingFacts | null;
    createdByUser?: string;
    createdByToken?: string;
  },
): Promise<ReleaseFileRow> {
  const id = newId();
  const { releaseId, fileId, kind, name, size, createdAt, facts, createdByUser, createdByToken } = data;
  await queryRows(
    tx,
    sql`
      INSERT INTO "ReleaseFile" ("id", "releaseId", "fileId", "kind", "name", "size", "facts", "createdByUser", "createdByToken", "createdAt")
      VALUES (${id}::uuid, ${releaseId}::uuid, ${fileId}::uuid, ${kind}::"ReleaseFileKind", ${name}, ${size}::bigint,
        ${JSON.stringify(facts ?? NO_FACTS)}::jsonb, ${createdByUser ?? null}::uuid, ${createdByToken ?? null}::uuid, ${createdAt}::timestamptz)`,
  );
  const [row] = await readRows(tx, sql`rf."id" = ${id}::uuid`);
  return row as ReleaseFileRow;
}

/** @returns false if it was deleted at the same moment */
export async function removeReleaseFile(tx: Db, id: string): Promise<boolean> {
  const { count } = await tx.releaseFile.deleteMany({ where: { id } });
  return count === 1;
}

/**
 * Gives a promoted release the further files of its source that the caller may download there. Both refer to the same stored files.
 * @param scopes of the caller, in the environment of the source
 */
export async function copyReleaseFiles(
  tx: Db,
  source: { releaseId: string; scopes: readonly Scope[] },
  to: { releaseId: string; createdByUser?: string; createdByToken?: string; now: Date },
): Promise<void> {
  const rows = await tx.releaseFile.findMany({ where: { releaseId: source.releaseId }, orderBy: { fileId: "asc" } });
  const copied = [];
  for (const { fileId, kind, name, size, facts } of rows) {
    if (!mayDownload(kind, source.scopes) || !(await claimFile(tx, fileId))) continue;
    const { releaseId, createdByUser, createdByToken, now } = to;
    // The type of what is read of a JSON column is wider than that of what is written.
    const stored = facts as NonNullable<typeof facts>;
    copied.push({
      id: newId(),
      releaseId,
      fileId,
      kind,
      name,
      size,
      facts: stored,
      createdByUser,
      createdByToken,
      createdAt: now,
    });
  }
  await tx.releaseFile.createMany({ data: copied });
}

type Filters = z.output<typeof getReleaseFilesInput>;

/** One page of the further files of a release. */
export async function listReleaseFiles(from: Db, input: Filters) {
  const { descending, after } = pagePosition(input);
  const direction = raw(descending ? "DESC" : "ASC");
  const { releaseId, kind, search } = input;
  const wanted = [
    sql`rf."releaseId" = ${releaseId}::uuid`,
    ...(kind ? [sql`rf."kind" = ${kind}::"ReleaseFileKind"`] : []),
    ...(search ? [sql`rf."name" ILIKE ${`%${likeText(search)}%`}`] : []),
  ];
  const beyond = after
    ? [sql`(rf."createdAt", rf."id") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`]
    : [];
  const counted = sql`SELECT 1 FROM "ReleaseFile" rf WHERE ${join(wanted, " AND ")}`;
  const [rows, total] = await Promise.all([
    readRows(
      from,
      join([...wanted, ...beyond], " AND "),
      sql`ORDER BY rf."createdAt" ${direction}, rf."id" ${direction} LIMIT ${input.limit + 1}`,
    ),
    cappedCount(search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, (take) => countRows(from, counted, take)),
  ]);
  return { ...toPage(rows, input), ...total };
}

/** Which programs of an `.ipa` have symbols, in any of its files. */
export async function symbolsOfRelease(
  from: Db,
  releaseId: string,
  { state, binaries }: StoredBinaries,
): Promise<NonNullable<ReleaseFiles["symbols"]>> {
  const rows = await queryRows<{ uuid: string }>(
    from,
    sql`
      SELECT DISTINCT found."value" #>> '{}' AS "uuid"
      FROM "ReleaseFile" rf CROSS JOIN LATERAL jsonb_path_query(rf."facts", '$[*].uuid') found("value")
      WHERE rf."releaseId" = ${releaseId}::uuid AND rf."kind" = 'dsym'`,
  );
  const symbols = rows.map(({ uuid }) => ({ uuid, architecture: "", name: "" }));
  const { missing } = matchSymbols(binaries, symbols);
  return { state, programs: binaries.length, missing: missing.length, missingItems: missing.slice(0, LISTED_IMAGES) };
}

/** What the download of a file requires beside the right to download releases. */
export function downloadRequirements(kind: ReleaseFileKind) {
  const scope = furtherDownloadScope(kind);
  return scope === null ? [] : [{ access: scope }];
}
