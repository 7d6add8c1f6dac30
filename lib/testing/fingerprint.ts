import { db } from "@/lib/db/client";

/** Tables that every call changes, even a refused one. */
const IGNORED_TABLES = ["RateLimit"];

/**
 * Returns a hash of each table's content. Equal fingerprints mean that nothing was written in between.
 * `lastUsedAt` is excluded, because a refused call also counts as a use of a token.
 */
export async function databaseFingerprint(): Promise<Record<string, string>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT "table_name" AS "name" FROM information_schema.tables
    WHERE "table_schema" = 'public' AND "table_type" = 'BASE TABLE'`;
  const names = tables
    .map(({ name }) => name)
    .filter((name) => !IGNORED_TABLES.includes(name) && !name.startsWith("_"));
  const each = names.map(
    (name) =>
      `SELECT '${name}' AS "name", md5(coalesce(string_agg(row, '' ORDER BY row), '')) AS "hash"
       FROM (SELECT (to_jsonb(t) - 'lastUsedAt')::text AS row FROM "${name}" t) rows`,
  );
  const rows = await db.$queryRawUnsafe<{ name: string; hash: string }[]>(each.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
