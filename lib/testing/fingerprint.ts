import { db } from "@/lib/db/client";
import { queryRows, raw } from "@/lib/db/query";
import { afterwardsDone } from "@/lib/kernel/afterwards";
import { flushVisits } from "@/lib/visits/record";

/** Tables that every call changes, even a refused one. */
const IGNORED_TABLES = ["RateLimit"];

/**
 * Returns a key of each table's content. Equal fingerprints mean that nothing was written in between: the key covers the place
 * and the transaction of each row version, which every insert, update and deletion changes (PostgreSQL's `ctid` and `xmin`).
 * A refused call also counts as a use of a token, so tables with a `lastUsedAt` are compared by value, without that column.
 */
export async function databaseFingerprint(): Promise<Record<string, string>> {
  // What earlier calls left in memory or to do is written before, so that it does not come in between.
  await afterwardsDone();
  await flushVisits();
  statement ??= await makeStatement();
  // Prepared: planning it takes longer than running it.
  const rows = await queryRows<{ name: string; key: string }>(db, raw(statement), { prepared: true });
  return Object.fromEntries(rows.map(({ name, key }) => [name, key]));
}

/** Reading the catalogue takes longer than reading the tables of most tests, and no test changes it. */
let statement: string | undefined;

async function makeStatement(): Promise<string> {
  const tables = await db.$queryRaw<{ name: string; used: boolean }[]>`
    SELECT t."table_name" AS "name", EXISTS (
      SELECT 1 FROM information_schema.columns c
      WHERE c."table_schema" = 'public' AND c."table_name" = t."table_name" AND c."column_name" = 'lastUsedAt'
    ) AS "used"
    FROM information_schema.tables t WHERE t."table_schema" = 'public' AND t."table_type" = 'BASE TABLE'`;
  const each = tables
    .filter(({ name }) => !IGNORED_TABLES.includes(name) && !name.startsWith("_"))
    .map(({ name, used }) => {
      const version = used ? `(to_jsonb(t) - 'lastUsedAt')::text` : "concat(t.ctid, t.xmin)";
      return `SELECT '${name}' AS "name", coalesce(sum(hashtextextended(${version}, 0)), 0)::text AS "key" FROM "${name}" t`;
    });
  return each.join(" UNION ALL ");
}
