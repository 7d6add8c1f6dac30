import type pg from "pg";

interface Collation {
  oid: number;
  /** With its schema, quoted. */
  name: string;
}

/**
 * The collation of names, if its version is another one than that of the server's ICU. Its indexes may then be in an order
 * that the server no longer has.
 */
export async function staleCollation(client: pg.Client): Promise<Collation | null> {
  const { rows } = await client.query<Collation>(`
    SELECT l.oid, format('%I.%I', n.nspname, l.collname) AS "name"
    FROM pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace
    WHERE l.collname = 'names' AND l.collprovider = 'i' AND n.nspname = current_schema()
      AND l.collversion IS DISTINCT FROM pg_collation_actual_version(l.oid)`);
  return rows[0] ?? null;
}

/**
 * Builds the indexes of names again if the collation's version is stale. Runs in the caller's transaction, which holds the
 * lock of migrations.
 * @returns the number of indexes that were built again
 */
export async function refreshCollation(client: pg.Client): Promise<number> {
  const collation = await staleCollation(client);
  if (!collation) return 0;
  const { rows: indexes } = await client.query<{ name: string }>(
    `SELECT DISTINCT format('%I.%I', n.nspname, c.relname) AS "name"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE $1::oid = ANY(i.indcollation::oid[]) ORDER BY 1`,
    [collation.oid],
  );
  for (const { name } of indexes) await client.query(`REINDEX INDEX ${name}`);
  await client.query(`ALTER COLLATION ${collation.name} REFRESH VERSION`);
  return indexes.length;
}
