import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  FILTERED_COUNT_CAP,
  likeText,
  orNotFound,
  pagePosition,
  SEARCH_COUNT_CAP,
  type SortFields,
  sortField,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { Status } from "@/lib/db/generated/client";
import { countRows, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { authorJson } from "@/lib/features/configuration/data/entries";
import { openSecret } from "@/lib/features/configuration/data/secrets";
import type { Author } from "@/lib/features/configuration/schema";
import { type EnvironmentTarget, environmentTargetOf } from "@/lib/features/environments/data";
import type { certificatesInput, SecureCertificate } from "./schema";

/** A certificate's row without its secrets. */
export interface CertificateRow {
  id: string;
  environmentId: string;
  name: string;
  key: string;
  fileName: string;
  format: SecureCertificate["format"];
  sha256: string;
  expirationDate: Date | null;
  subject: string | null;
  issuer: string | null;
  serialNumber: string | null;
  keyAlgorithm: string | null;
  hasPrivateKey: boolean | null;
  chainLength: number | null;
  status: Status;
  version: number;
  updatedAt: Date;
  updatedBy: Author | null;
}

/** A certificate's row, as the API shows it. */
export function toSecureCertificate({ expirationDate, updatedAt, ...row }: CertificateRow): SecureCertificate {
  return { ...row, expirationDate: expirationDate?.toISOString() ?? null, updatedAt: updatedAt.toISOString() };
}

const COLUMNS = sql`c."id", c."environmentId", c."name", c."key", c."fileName", c."format", c."sha256",
  c."expirationDate", c."subject", c."issuer", c."serialNumber", c."keyAlgorithm", c."hasPrivateKey", c."chainLength",
  c."status", c."version", c."updatedAt", ${authorJson(`c."updatedByUser"`, `c."updatedByToken"`)} AS "updatedBy"`;

/** @throws ApiError not_found */
export async function loadCertificate(db: Db, id: string): Promise<CertificateRow> {
  const [row] = await queryRows<CertificateRow>(
    db,
    sql`SELECT ${COLUMNS} FROM "SecureCertificate" c WHERE c."id" = ${id}::uuid`,
    { prepared: true },
  );
  return orNotFound(row);
}

/** A certificate's file and password in plain. */
interface CertificateSecret {
  value: Buffer;
  password: string | null;
}

/** @throws ApiError not_found; SealedError if they do not open */
export async function loadCertificateWithSecret(db: Db, id: string): Promise<CertificateRow & CertificateSecret> {
  const [found] = await queryRows<CertificateRow & { value: Uint8Array; password: Uint8Array | null }>(
    db,
    sql`SELECT ${COLUMNS}, c."value", c."password" FROM "SecureCertificate" c WHERE c."id" = ${id}::uuid`,
    { prepared: true },
  );
  const { value, password, ...row } = orNotFound(found);
  return { ...row, ...openSecret({ value, password }, { table: "SecureCertificate", id }) };
}

/** The environment of a certificate as the target of a call; null if there is no such certificate. */
export function certificateTarget(db: Db, id: string): Promise<EnvironmentTarget | null> {
  return environmentTargetOf(db, sql`(SELECT c."environmentId" FROM "SecureCertificate" c WHERE c."id" = ${id}::uuid)`);
}

type Filters = z.output<typeof certificatesInput>;

function conditions({ environmentId, status, search }: Filters): Sql[] {
  const like = `%${likeText(search ?? "")}%`;
  return [
    sql`c."environmentId" = ${environmentId}::uuid`,
    ...(status ? [sql`c."status" = ${status}::"Status"`] : []),
    ...(search ? [sql`(c."name" ILIKE ${like} OR c."key" ILIKE ${like})`] : []),
  ];
}

/** The place of certificates without an expiration date: after all others. */
const NEVER = new Date("9999-12-31T23:59:59.999Z");

const SORTS: SortFields = { status: { values: Object.values(Status) } };

/** One page of the certificates of an environment. */
export async function listCertificates(db: Db, input: Filters) {
  const { field, descending, after } = pagePosition(
    input,
    ["updatedAt", "expirationDate"],
    undefined,
    SORTS[sortField(input)],
  );
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const column =
    field === "expirationDate" ? sql`coalesce(c."expirationDate", ${NEVER}::timestamptz)` : raw(`c."${field}"`);
  const wanted = conditions(input);
  const cast = raw(field === "status" ? `::"Status"` : "");
  const beyond = after ? [sql`(${column}, c."id") ${raw(sign)} (${after.value}${cast}, ${after.id}::uuid)`] : [];
  const [rows, total] = await Promise.all([
    queryRows<CertificateRow>(
      db,
      sql`
        SELECT ${COLUMNS} FROM "SecureCertificate" c WHERE ${join([...wanted, ...beyond], " AND ")}
        ORDER BY ${column} ${raw(direction)}, c."id" ${raw(direction)} LIMIT ${input.limit + 1}`,
    ),
    cappedCount(input.search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, (take) =>
      countRows(db, sql`SELECT 1 FROM "SecureCertificate" c WHERE ${join(wanted, " AND ")}`, take),
    ),
  ]);
  const placed = rows.map((row) => ({ ...row, expirationDate: row.expirationDate ?? NEVER, row }));
  const page = toPage(placed, input);
  return { rows: page.rows.map(({ row }) => row), nextCursor: page.nextCursor, ...total };
}
