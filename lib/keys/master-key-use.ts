import "server-only";
import { db } from "@/lib/db/client";
import { queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { type MasterKeys, masterKeys } from "@/lib/kernel/crypto/master-keys";
import { SettingsError } from "@/lib/kernel/env";
import { SEALED_COLUMNS, type SealedColumn } from "./sealed-columns";

/** How many values of one column a master key wraps. */
export interface MasterKeyUse {
  /** `<table>.<column>` */
  column: string;
  /** Null for values that are not sealed values. */
  keyId: string | null;
  count: number;
}

/** SQL for the id of the master key of a column's value; NULL for one that is not a sealed value. Reads 9 bytes of it. */
export function masterKeyIdOf({ column }: SealedColumn): Sql {
  const value = raw(`"${column}"`);
  return sql`CASE WHEN substring(${value} FROM 1 FOR 1) = '\\x01'::bytea
    THEN encode(substring(${value} FROM 2 FOR 8), 'hex') END`;
}

/** Counts the values of all sealed columns by their master keys. */
export async function countMasterKeyUse(): Promise<MasterKeyUse[]> {
  const uses: MasterKeyUse[] = [];
  for (const sealed of SEALED_COLUMNS) {
    const { table, column } = sealed;
    const rows = await queryRows<{ keyId: string | null; count: bigint }>(
      db,
      sql`SELECT ${masterKeyIdOf(sealed)} AS "keyId", count(*) AS "count" FROM "${raw(table)}"
          WHERE "${raw(column)}" IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    uses.push(...rows.map(({ keyId, count }) => ({ column: `${table}.${column}`, keyId, count: Number(count) })));
  }
  return uses;
}

/** The values that no given master key opens, by the missing key's id. */
export function findMissingMasterKeys(
  uses: readonly MasterKeyUse[],
  keys: MasterKeys,
): Map<string, { count: number; columns: string[] }> {
  const missing = new Map<string, { count: number; columns: string[] }>();
  for (const { column, keyId, count } of uses) {
    if (keyId === null || keys.all.has(keyId)) continue;
    const entry = missing.get(keyId) ?? { count: 0, columns: [] };
    missing.set(keyId, { count: entry.count + count, columns: [...entry.columns, `${column}: ${count}`] });
  }
  return missing;
}

/**
 * Checks that the settings have every master key that still wraps a value. Called at the start.
 * @throws SettingsError naming each missing key, how many values it wraps, and what to do
 */
export async function requireMasterKeys(): Promise<void> {
  const missing = findMissingMasterKeys(await countMasterKeyUse(), masterKeys());
  if (missing.size === 0) return;
  const keys = [...missing].map(
    ([id, { count, columns }]) => `the key ${id} is missing and wraps ${count} values (${columns.join(", ")})`,
  );
  throw new SettingsError(
    `MASTER_KEY: ${keys.join("; ")}. Add the missing key after the first one, run "npm run keys -- rotate" (in the image, "node commands/keys.mjs rotate"), and remove it then`,
  );
}
