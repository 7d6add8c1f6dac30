import "server-only";
import type { Db } from "@/lib/db/client";
import type { Status } from "@/lib/db/generated/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { SealedError } from "@/lib/kernel/crypto/sealed";
import { invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import type { EntryKind } from "../schema";
import { type CertificateDetails, DETAILS, type EntryState, TABLES } from "./entries";
import type { ValuedChange } from "./planned-changes";
import { quoted } from "./rows";
import { openSecret, type SealedSecret } from "./secrets";

/** An entry's row with what a copy of it needs. */
interface CopiedRow {
  id: string;
  key: string;
  name: string;
  status: Status;
  /** Of a development variable. */
  plain: string | null;
  /** Of the other kinds. */
  value: Uint8Array | null;
  password: Uint8Array | null;
  /** Of a certificate. */
  details: CertificateDetails | null;
}

/** The entries of some keys in an environment, active or not. */
async function rowsByKey(db: Db, environmentId: string, kind: EntryKind, keys: readonly string[]) {
  const { table, plain, sealed } = TABLES[kind];
  const isSealed = (name: "value" | "password") => (sealed.includes(name) ? `v."${name}"` : "NULL::bytea");
  const details = Object.keys(DETAILS).flatMap((name) => [`'${name}'`, `v."${name}"`]);
  const columns = [
    `v."id", v."key", v."name", v."status"`,
    `${"value" in plain ? `v."value"` : "NULL::text"} AS "plain"`,
    `${isSealed("value")} AS "value"`,
    `${isSealed("password")} AS "password"`,
    `${kind === "secure-certificate" ? `json_build_object(${details.join(", ")})` : "NULL::json"} AS "details"`,
  ];
  const rows = await queryRows<CopiedRow>(
    db,
    sql`
      SELECT ${raw(columns.join(", "))} FROM ${raw(quoted(table))} v
      WHERE v."environmentId" = ${environmentId}::uuid AND v."key" = ANY(${[...keys]}::text[])`,
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** @throws SealedError */
function opened(kind: EntryKind, { id, value, password }: CopiedRow) {
  return openSecret({ value, password } as SealedSecret, { table: TABLES[kind].table, id });
}

/** Whether two entries have the same value, and certificates the same password; a secret that does not open is another. */
function isSame(kind: EntryKind, source: CopiedRow, target: CopiedRow): boolean {
  if (kind === "dev-variable") return source.plain === target.plain;
  const wanted = opened(kind, source);
  try {
    const current = opened(kind, target);
    return wanted.value.equals(current.value) && wanted.password === current.password;
  } catch (error) {
    if (error instanceof SealedError) return false;
    throw error;
  }
}

/**
 * The changes that give an environment the entries of another, by key. The name and status of an entry that exists stay. Call
 * it from the plan of `withConfigurationChange`.
 * @throws ApiError validation_failed where the environment to copy from lacks a key; SealedError where a secret there does
 *   not open
 */
export async function planCopy(
  tx: Db,
  copy: { fromEnvironmentId: string; toEnvironmentId: string; kind: EntryKind; keys: readonly string[] },
): Promise<ValuedChange[]> {
  const { fromEnvironmentId, toEnvironmentId, kind, keys } = copy;
  const sources = await rowsByKey(tx, fromEnvironmentId, kind, keys);
  const targets = await rowsByKey(tx, toEnvironmentId, kind, keys);
  return [...keys].sort().flatMap((key): ValuedChange[] => {
    const source = sources.get(key);
    if (!source) throw invalidField("keys", "copiedKey", { key });
    const target = targets.get(key) ?? null;
    if (target && isSame(kind, source, target)) return [];
    const { name, status } = target ?? source;
    const after: EntryState = {
      key,
      name,
      status,
      ...(source.plain !== null && { value: source.plain }),
      ...(source.value && { secret: opened(kind, source) }),
      ...(source.details && { details: source.details }),
    };
    const values = {
      ...(target?.plain != null && { before: target.plain }),
      ...(source.plain !== null && { after: source.plain }),
    };
    return [{ kind, id: target?.id ?? newId(), before: target, after, values }];
  });
}
