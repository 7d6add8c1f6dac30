import "server-only";
import type { Db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { join, queryRows, raw, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import { ApiError, takenConflict } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import type { Actor } from "@/lib/permissions/actor";
import type { EntryKind } from "../schema";
import { type Columns, type EntryChange, type EntryState, TABLES } from "./entries";
import { base64, decoded, quoted, recordset, writeRows } from "./rows";
import { type PreparedChange, prepareSecrets } from "./secrets";

/** @throws ApiError conflict where an entry that stays has the key of one that is created or renamed */
async function requireFreeKeys(tx: Db, environmentId: string, changes: readonly EntryChange[]): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(changes, ({ kind }) => kind)) {
    const keys = ofKind.flatMap(({ before, after }) => (after && after.key !== before?.key ? [after.key] : []));
    if (keys.length === 0) continue;
    const deleted = ofKind.filter(({ after }) => after === null).map(({ id }) => id);
    const taken = await queryRows(
      tx,
      sql`
        SELECT 1 FROM ${raw(quoted(TABLES[kind].table))}
        WHERE "environmentId" = ${environmentId}::uuid AND "key" = ANY(${keys}::text[]) AND "id" <> ALL(${deleted}::uuid[])
        LIMIT 1`,
    );
    if (taken.length > 0) throw takenConflict("key");
  }
}

/** @throws ApiError conflict where the settings of the environment have chosen one of the certificates */
async function requireUnused(tx: Db, ids: readonly string[]): Promise<void> {
  const used = await queryRows(
    tx,
    sql`
      SELECT 1 FROM "EnvironmentSigningKey" WHERE "certificateId" = ANY(${ids}::uuid[])
      UNION ALL SELECT 1 FROM "AppStoreKey" WHERE "certificateId" = ANY(${ids}::uuid[]) LIMIT 1`,
  );
  if (used.length > 0) throw new ApiError("conflict", { detailKey: "detailChosenFile" });
}

/** The columns that say who and when, of an entry's row. */
interface Stamp {
  environmentId: string;
  version: number;
  now: Date;
  userId: string | null;
  tokenId: string | null;
}

/** Writes the current rows of a kind. */
async function writeEntries(tx: Db, kind: EntryKind, changes: readonly PreparedChange[], stamp: Stamp): Promise<void> {
  const { table, plain, sealed } = TABLES[kind];
  const target = raw(quoted(table));
  const { environmentId, version, now, userId, tokenId } = stamp;
  const columns: Columns = { id: "uuid", ...plain, ...Object.fromEntries(sealed.map((name) => [name, "text"])) };
  const rowOf = ({ id, after, sealed: secret }: PreparedChange) => {
    const { details, secret: _secret, ...facts } = after as EntryState;
    return {
      id,
      ...facts,
      ...details,
      ...(secret && { value: base64(secret.value), password: base64(secret.password) }),
    };
  };
  const deleted = changes.filter(({ after }) => after === null).map(({ id }) => id);
  if (deleted.length > 0) {
    if (kind === "secure-certificate") await requireUnused(tx, deleted);
    await queryRows(tx, sql`DELETE FROM ${target} WHERE "id" = ANY(${deleted}::uuid[])`);
  }
  const updated = changes.filter(({ before, after }) => before !== null && after !== null).map(rowOf);
  const assignments = [
    ...Object.keys(plain).map((name) => `"${name}" = x."${name}"`),
    ...sealed.map((name) => `"${name}" = CASE WHEN x."value" IS NULL THEN t."${name}" ELSE ${decoded(name)} END`),
  ];
  await writeRows(
    tx,
    updated,
    (json) => sql`
      UPDATE ${target} t SET ${raw(assignments.join(", "))}, "version" = ${version}, "updatedAt" = ${now},
        "updatedByUser" = ${userId}::uuid, "updatedByToken" = ${tokenId}::uuid
      FROM ${recordset(json, columns)} WHERE t."id" = x."id"`,
  );
  const created = changes.filter(({ before }) => before === null).map(rowOf);
  const names = ["id", ...Object.keys(plain), ...sealed];
  const values = ["id", ...Object.keys(plain)].map((name) => `x."${name}"`).concat(sealed.map(decoded));
  await writeRows(
    tx,
    created,
    (json) => sql`
      INSERT INTO ${target} (${raw(names.map(quoted).join(", "))}, "environmentId", "version", "updatedAt",
        "updatedByUser", "updatedByToken")
      SELECT ${raw(values.join(", "))}, ${environmentId}::uuid, ${version}::int, ${now}::timestamptz, ${userId}::uuid,
        ${tokenId}::uuid
      FROM ${recordset(json, columns)}`,
  );
}

/** The rows of the history that tell of a change: two where it changed the key. */
function historyRows({ kind, before, after, secretId }: PreparedChange): object[] {
  const renamed = before !== null && after !== null && before.key !== after.key;
  const rows: object[] = [];
  if (before && (after === null || renamed)) {
    rows.push({ id: newId(), kind, key: before.key, action: "delete", name: before.name });
  }
  if (after) {
    const { key, name, status, value, details } = after;
    const action = before === null || renamed ? "create" : "update";
    rows.push({ id: newId(), kind, key, action, name, status, value, secretId, details });
  }
  return rows;
}

/** Which of two columns says who made a change. */
function authorColumns(actor: Actor): { userId: string | null; tokenId: string | null } {
  return {
    userId: actor.kind === "user" ? actor.userId : null,
    tokenId: actor.kind === "token" ? actor.tokenId : null,
  };
}

/**
 * Changes the entries of an environment's configuration, as its next version: their rows and the history, in the caller's
 * transaction. The environment is locked until that ends, so versions are committed in their order and without gaps.
 *
 * @param change.restoredFrom the version whose content the changes restore
 * @param plan finds the changes; it runs under the lock, so that what it reads still holds when they are written. Each
 *   entry occurs in one change at most
 * @returns the planned changes and the number of the new version; where nothing is to be changed, the number of the
 *   current one (0 before the first)
 * @throws ApiError not_found where the environment was deleted; conflict where a key is taken, or where the configuration or its
 *   history would exceed a limit
 */
export async function withConfigurationChange<Change extends EntryChange>(
  tx: Db,
  change: { environmentId: string; actor: Actor; now: Date; restoredFrom?: number },
  plan: () => Promise<readonly Change[]>,
): Promise<{ version: number; changes: readonly Change[] }> {
  const { environmentId, actor, now, restoredFrom = null } = change;
  if (!(await lockRow(tx, "Environment", environmentId))) throw new ApiError("not_found");
  const changes = await plan();
  if (changes.length === 0) return { version: await currentVersion(tx, environmentId), changes };
  await requireFreeKeys(tx, environmentId, changes);
  const prepared = await prepareSecrets(tx, environmentId, changes);
  const history = prepared.flatMap(historyRows);
  const { userId, tokenId } = authorColumns(actor);
  const [created] = await queryRows<{ number: number }>(
    tx,
    sql`
      INSERT INTO "ConfigurationVersion" ("environmentId", "number", "at", "userId", "tokenId", "changeCount", "restoredFrom")
      VALUES (${environmentId}::uuid, 0, ${now}, ${userId}::uuid, ${tokenId}::uuid, ${history.length}, ${restoredFrom})
      RETURNING "number"`,
  );
  const version = created?.number as number;
  const stamp = { environmentId, version, now, userId, tokenId };
  for (const [kind, ofKind] of Map.groupBy(prepared, ({ kind }) => kind)) await writeEntries(tx, kind, ofKind, stamp);
  await writeRows(
    tx,
    prepared.flatMap(({ kind, after, secretId, newSecret }) =>
      newSecret
        ? [
            {
              id: secretId,
              kind,
              key: after?.key,
              value: base64(newSecret.value),
              password: base64(newSecret.password),
            },
          ]
        : [],
    ),
    (json) => sql`
      INSERT INTO "ConfigurationSecret" ("id", "environmentId", "kind", "key", "value", "password")
      SELECT x."id", ${environmentId}::uuid, x."kind", x."key", ${raw(decoded("value"))}, ${raw(decoded("password"))}
      FROM ${recordset(json, { id: "uuid", kind: "text", key: "text", value: "text", password: "text" })}`,
  );
  const columns: Columns = {
    id: "uuid",
    kind: "text",
    key: "text",
    action: `"ConfigurationAction"`,
    name: "text",
    status: `"Status"`,
    value: "text",
    secretId: "uuid",
    details: "jsonb",
  };
  const names = raw(Object.keys(columns).map(quoted).join(", "));
  const values = raw(
    Object.keys(columns)
      .map((name) => `x."${name}"`)
      .join(", "),
  );
  await writeRows(
    tx,
    history,
    (json) => sql`
      INSERT INTO "ConfigurationChange" (${names}, "environmentId", "version")
      SELECT ${values}, ${environmentId}::uuid, ${version}::int FROM ${recordset(json, columns)}`,
  );
  await requireRoom(tx, environmentId, changes);
  return { version, changes };
}

/**
 * Checks the limits of an environment's configuration after a change. Deletions are never refused, so that a secret can always be
 * removed.
 * @throws ApiError conflict that names the exceeded limit
 */
async function requireRoom(tx: Db, environmentId: string, changes: readonly EntryChange[]): Promise<void> {
  if (changes.every(({ after }) => after === null)) return;
  const sizes = Object.values(TABLES).map(({ table, sealed }) => {
    const columns = sealed.length > 0 ? sealed : (["value"] as const);
    const bytes = columns.map((name) => `coalesce(octet_length("${name}"), 0)`).join(" + ");
    return sql`SELECT count(*) AS "entries", sum(${raw(bytes)}) AS "bytes" FROM ${raw(quoted(table))}
      WHERE "environmentId" = ${environmentId}::uuid`;
  });
  const [size] = await queryRows<{ entries: number; bytes: number; historyBytes: number }>(
    tx,
    sql`
      SELECT sum(s."entries")::float8 AS "entries", coalesce(sum(s."bytes"), 0)::float8 AS "bytes",
        e."configurationHistoryBytes"::float8 AS "historyBytes"
      FROM "Environment" e CROSS JOIN (${join(sizes, " UNION ALL ")}) s
      WHERE e."id" = ${environmentId}::uuid GROUP BY e."id"`,
  );
  const { entries = 0, bytes = 0, historyBytes = 0 } = size ?? {};
  const { MAX_CONFIGURATION_ENTRIES, MAX_CONFIGURATION_BYTES, MAX_CONFIGURATION_HISTORY_BYTES } = env;
  const isMore = changes.some(({ before }) => before === null);
  const isLonger = changes.some(({ after }) => after?.value !== undefined || typeof after?.secret === "object");
  if (isMore && entries > MAX_CONFIGURATION_ENTRIES) throw full("detailEntries", MAX_CONFIGURATION_ENTRIES);
  if (isLonger && bytes > MAX_CONFIGURATION_BYTES) throw full("detailBytes", MAX_CONFIGURATION_BYTES);
  if (historyBytes > MAX_CONFIGURATION_HISTORY_BYTES) throw full("detailHistory", MAX_CONFIGURATION_HISTORY_BYTES);
}

function full(detailKey: string, limit: number): ApiError {
  return new ApiError("conflict", { detailKey, params: { limit } });
}

/** The number of an environment's latest version; 0 before the first. */
export async function currentVersion(db: Db, environmentId: string): Promise<number> {
  const [row] = await queryRows<{ number: number }>(
    db,
    sql`SELECT "configurationVersion" AS "number" FROM "Environment" WHERE "id" = ${environmentId}::uuid`,
  );
  return row?.number ?? 0;
}
