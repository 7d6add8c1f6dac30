import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { SealedError, type SealedPlace, seal, unseal } from "@/lib/kernel/crypto/sealed";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import type { EntryKind } from "../schema";
import { type EntryChange, NEWEST_FIRST, type Secret, TABLES } from "./entries";
import { quoted, recordset } from "./rows";

/** A sealed secret in the row of an entry or in the history. */
export interface SealedSecret {
  value: Uint8Array;
  password: Uint8Array | null;
}

function sealSecret(secret: Secret, place: Omit<SealedPlace, "column">): SealedSecret {
  const { value, password = null } = secret;
  return {
    value: seal(value, { ...place, column: "value" }),
    password: password === null ? null : seal(password, { ...place, column: "password" }),
  };
}

interface OpenedSecret {
  value: Buffer;
  password: string | null;
}

/** @throws SealedError where it was sealed for another place or under an unknown key */
export function openSecret(sealed: SealedSecret, place: Omit<SealedPlace, "column">): OpenedSecret {
  const { value, password } = sealed;
  return {
    value: unseal(value, { ...place, column: "value" }),
    password: password && unseal(password, { ...place, column: "password" }).toString(),
  };
}

/** Opens secrets of the history. @returns them by their ids; one that does not open is missing */
async function openHistorySecrets(db: Db, ids: readonly string[]): Promise<Map<string, OpenedSecret>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows<SealedSecret & { id: string }>(
    db,
    sql`SELECT "id", "value", "password" FROM "ConfigurationSecret" WHERE "id" = ANY(${[...ids]}::uuid[])`,
  );
  const opened = new Map<string, OpenedSecret>();
  for (const row of rows) {
    try {
      opened.set(row.id, openSecret(row, { table: "ConfigurationSecret", id: row.id }));
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
    }
  }
  return opened;
}

/** The secret of an entry's row. @throws ApiError not_found */
async function openRowSecret(db: Db, kind: EntryKind, id: string): Promise<Secret> {
  const { table, sealed } = TABLES[kind];
  const columns = raw(
    ["value", "password"]
      .map((name) => (sealed.some((column) => column === name) ? quoted(name) : `NULL AS "${name}"`))
      .join(", "),
  );
  const [row] = await queryRows<SealedSecret>(
    db,
    sql`SELECT ${columns} FROM ${raw(quoted(table))} WHERE "id" = ${id}::uuid`,
  );
  if (!row) throw new ApiError("not_found");
  return openSecret(row, { table, id });
}

/** The secrets that entries have in the history now: ids by `${kind}/${key}`. */
async function latestSecretIds(
  tx: Db,
  environmentId: string,
  entries: readonly { kind: EntryKind; key: string }[],
): Promise<Map<string, string>> {
  if (entries.length === 0) return new Map();
  const rows = await queryRows<{ kind: EntryKind; key: string; secretId: string }>(
    tx,
    sql`
      SELECT x."kind", x."key", latest."secretId"
      FROM ${recordset(JSON.stringify(entries), { kind: "text", key: "text" })}
      CROSS JOIN LATERAL (
        SELECT c."secretId" FROM "ConfigurationChange" c
        WHERE c."environmentId" = ${environmentId}::uuid AND c."kind" = x."kind" AND c."key" = x."key"
        ORDER BY ${NEWEST_FIRST} LIMIT 1
      ) latest`,
  );
  return new Map(rows.map(({ kind, key, secretId }) => [entryId(kind, key), secretId]));
}

function entryId(kind: EntryKind, key: string): string {
  return `${kind}/${key}`;
}

/** A change with its secret in the forms in which it is written. */
export interface PreparedChange extends EntryChange {
  /** For the entry's row; null where that stays. */
  sealed: SealedSecret | null;
  /** For the history. */
  secretId: string | null;
  newSecret: SealedSecret | null;
}

export async function prepareSecrets(
  tx: Db,
  environmentId: string,
  changes: readonly EntryChange[],
): Promise<PreparedChange[]> {
  const secretOf = ({ after }: EntryChange) => after?.secret;
  const isKept = (change: EntryChange) => secretOf(change) === "unchanged" && change.before?.key === change.after?.key;
  const kept = await latestSecretIds(
    tx,
    environmentId,
    changes.filter(isKept).map(({ kind, after }) => ({ kind, key: after?.key as string })),
  );
  const restored = await openHistorySecrets(
    tx,
    changes.flatMap((change) => {
      const secret = secretOf(change);
      return typeof secret === "object" && "secretId" in secret ? [secret.secretId] : [];
    }),
  );
  const prepared: PreparedChange[] = [];
  for (const change of changes) {
    const { kind, id, after } = change;
    const row = { table: TABLES[kind].table, id };
    const secret = secretOf(change);
    if (secret === undefined) {
      prepared.push({ ...change, sealed: null, secretId: null, newSecret: null });
    } else if (isKept(change)) {
      const secretId = kept.get(entryId(kind, after?.key as string)) as string;
      prepared.push({ ...change, sealed: null, secretId, newSecret: null });
    } else if (typeof secret === "object" && "secretId" in secret) {
      const opened = restored.get(secret.secretId);
      if (!opened) throw new SealedError(`the secret ${secret.secretId} of the history does not open`);
      const sealed = sealSecret(opened, row);
      prepared.push({ ...change, sealed, secretId: secret.secretId, newSecret: null });
    } else {
      const secretId = newId();
      const plain = secret === "unchanged" ? await openRowSecret(tx, kind, id) : secret;
      prepared.push({
        ...change,
        sealed: secret === "unchanged" ? null : sealSecret(plain, row),
        secretId,
        newSecret: sealSecret(plain, { table: "ConfigurationSecret", id: secretId }),
      });
    }
  }
  return prepared;
}
