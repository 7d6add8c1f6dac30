import pg from "pg";
import type { Bench } from "./bench.ts";

/** How much there is to be in a database. */
export interface Amounts {
  releases: number;
  users: number;
  auditRecords: number;
}

/** So many rows are inserted by one statement; what triggers hold of a statement stays small. */
const BATCH = 100_000;

/**
 * Fills a table by one INSERT … SELECT for each batch: the rows are made where they go. Its indexes but the primary key
 * are made anew afterwards, which is far faster than keeping them.
 * @param from,to the numbers of the rows, both inclusive
 * @param insert a statement with $1 and $2 for the first and the last number of its rows
 */
async function fillTable(
  client: pg.Client,
  table: string,
  { from, to, insert, values = [] }: { from: number; to: number; insert: string; values?: unknown[] },
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS "name", pg_get_indexdef(i.indexrelid) AS "definition"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::regclass AND NOT i.indisprimary`,
    [`"${table}"`],
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  for (let first = from; first <= to; first += BATCH) {
    await client.query(insert, [first, Math.min(to, first + BATCH - 1), ...values]);
  }
  for (const { definition } of rows) await client.query(definition);
  await client.query(`VACUUM (ANALYZE) "${table}"`);
}

/**
 * Fills a bench's database beyond what is in it, in a few seconds for each million rows: releases over all environments
 * of its app (four of five in its first one), users, and audit records. The audit records are numbered on, but their
 * hashes are not those of the chain: nothing of a benchmark reads them.
 */
export async function fill(bench: Bench, amounts: Amounts): Promise<void> {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  try {
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'");
    await fillTable(client, "Release", {
      from: 1,
      to: amounts.releases,
      insert: RELEASES,
      values: [bench.releaseId, bench.environmentId, amounts.releases],
    });
    await fillTable(client, "User", { from: 1, to: amounts.users, insert: USERS });
    const { rows } = await client.query<{ last: string }>(`SELECT coalesce(max("id"), 0) AS "last" FROM "AuditRecord"`);
    const last = Number(rows[0]?.last);
    await client.query(`ALTER TABLE "AuditRecord" DISABLE TRIGGER "AuditRecord_chain"`);
    const to = last + amounts.auditRecords;
    await fillTable(client, "AuditRecord", { from: last + 1, to, insert: AUDIT_RECORDS, values: [to] });
    await client.query(`ALTER TABLE "AuditRecord" ENABLE TRIGGER "AuditRecord_chain"`);
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
}

/** Copies of one release, a minute apart and the last one now; 500 of them have a version in common. */
const RELEASES = `
  WITH places AS (
    SELECT array_agg(e."id" ORDER BY (e."id" = $4::uuid) DESC, e."id") AS "ids" FROM "Environment" e
    WHERE e."appId" = (SELECT "appId" FROM "Environment" WHERE "id" = $4::uuid)
  )
  INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "iconFileId", "version", "buildNumber",
    "identifier", "displayName", "description", "iosEnabled", "fileName", "minOs", "installer", "metadata",
    "deployDate", "createdByUser")
  SELECT uuidv7(), places."ids"[CASE WHEN n % 5 < 4 THEN 1 ELSE 1 + (n / 5) % array_length(places."ids", 1) END],
    CASE WHEN n % 3 = 0 THEN android."id" ELSE m."platformId" END, m."fileId", m."iconFileId",
    '1.' || (n / 500), n::text, m."identifier", m."displayName",
    'Fixes the sign-in on tablets and makes lists quicker. Ticket T' || n || '-' || left(md5(n::text), 8) || '.',
    m."iosEnabled", 'app-' || n || '.ipa', m."minOs", m."installer", m."metadata",
    now() - ($5::int - n) * interval '1 minute', m."createdByUser"
  FROM generate_series($1::int, $2::int) n, "Release" m, places,
    (SELECT "id" FROM "Platform" WHERE "kind" = 'android' LIMIT 1) android
  WHERE m."id" = $3::uuid`;

const USERS = `
  INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "team", "roleId", "provider", "status")
  SELECT uuidv7(), (ARRAY['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan', 'Katherine', 'Ken', 'Radia'])[1 + n % 8],
    'Tester ' || left(md5(n::text), 8), 'tester' || n || '@example.test', 'Team ' || n % 40, r."id", 'email',
    (CASE WHEN n % 10 = 0 THEN 'inactive' ELSE 'active' END)::"Status"
  FROM generate_series($1::int, $2::int) n, (SELECT "id" FROM "Role" ORDER BY "id" LIMIT 1) r`;

const AUDIT_RECORDS = `
  INSERT INTO "AuditRecord" ("id", "userId", "table", "recordId", "action", "eventDate", "changes", "ip", "requestId",
    "previousHash", "hash")
  SELECT n, u."id", (ARRAY['Release', 'Release', 'Release', 'User', 'App', 'Environment', 'Upload'])[1 + n % 7],
    md5((n / 10)::text)::uuid::text, (ARRAY['create', 'update', 'delete'])[1 + n % 3],
    now() - ($3::bigint - n) * interval '10 seconds', '{"description": ["Before", "After"]}', '192.0.2.7', md5(n::text),
    repeat('0', 64), repeat('0', 64)
  FROM generate_series($1::bigint, $2::bigint) n, (SELECT "id" FROM "User" ORDER BY "id" LIMIT 1) u`;
