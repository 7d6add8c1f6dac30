import "server-only";
import type { z } from "zod";
import { cappedCount, FILTERED_COUNT_CAP, likeText, pagePosition, rowNumber, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Prisma, Status } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { SealedError, type SealedPlace, seal, unseal } from "@/lib/kernel/crypto/sealed";
import { env } from "@/lib/kernel/env";
import { ApiError, takenConflict } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import type { Actor } from "@/lib/permissions/actor";
import type { SecondFactorRule } from "@/lib/permissions/second-factor";
import { environmentWhere, type Sight } from "@/lib/permissions/visibility";
import {
  type ConfigurationVersion,
  type configurationVersionsInput,
  ENTRY_KINDS,
  type EntryKind,
  entryKeySchema,
  MAX_SHOWN_CHANGES,
  scopeOfKind,
  type VariablesMatrix,
  type variablesMatrixInput,
} from "./schema";

/**
 * Who may read, change or reveal the entries of a kind: those with its scope. Of secrets, people with a second factor, and
 * to reveal them, with a recent one.
 */
export function accessToKind(
  kind: EntryKind,
  right: "read" | "write" | "reveal",
): { access: ReturnType<typeof scopeOfKind>; secondFactor?: SecondFactorRule } {
  const access = scopeOfKind(kind, right === "reveal" ? "read" : right);
  if (kind === "dev-variable") return { access };
  return { access, secondFactor: right === "reveal" ? "recent" : "enrolled" };
}

/** What the row of a certificate has beside its name, key, status and secret. */
export type CertificateDetails = Pick<
  Prisma.SecureCertificateUncheckedCreateInput,
  | "fileName"
  | "format"
  | "sha256"
  | "subject"
  | "issuer"
  | "serialNumber"
  | "keyAlgorithm"
  | "hasPrivateKey"
  | "chainLength"
> & { expirationDate: string | null };

/** The secret of an entry: the value of a secure variable, or a certificate's file and its password. */
export interface Secret {
  value: string | Uint8Array;
  password?: string | null;
}

/** An entry as a change leaves it. */
export interface EntryState {
  key: string;
  name: string;
  status: Status;
  /** Of a development variable. */
  value?: string;
  /** Of the other kinds: a new secret, that of an earlier version of the same entry, or the one that it has. */
  secret?: Secret | { secretId: string } | "unchanged";
  /** Of a certificate. */
  details?: CertificateDetails;
}

/** A change to one entry. */
export interface EntryChange {
  kind: EntryKind;
  /** The id of the entry's row. */
  id: string;
  /** Null for a creation. */
  before: { key: string; name: string } | null;
  /** Null for a deletion. */
  after: EntryState | null;
}

/** A user or token, of two columns that say who changed something, as JSON for `authorSchema`. */
export function authorJson(userColumn: string, tokenColumn: string): Sql {
  return raw(`coalesce(
    (SELECT json_build_object('kind', 'user', 'id', u."id", 'name', concat(u."firstNames", ' ', u."lastNames"))
     FROM "User" u WHERE u."id" = ${userColumn}),
    (SELECT json_build_object('kind', 'token', 'id', k."id", 'name', k."name") FROM "ApiToken" k WHERE k."id" = ${tokenColumn})
  )`);
}

/** An SQL type for each column that is written as it is. */
type Columns = Record<string, string>;

const FACTS: Columns = { key: "text", name: "text", status: `"Status"` };

const DETAILS: Columns = {
  fileName: "text",
  format: "text",
  sha256: "text",
  expirationDate: "timestamptz",
  subject: "text",
  issuer: "text",
  serialNumber: "text",
  keyAlgorithm: "text",
  hasPrivateKey: "boolean",
  chainLength: "integer",
};

interface EntryTable {
  table: "DevVariable" | "SecureVariable" | "SecureCertificate";
  plain: Columns;
  sealed: readonly ("value" | "password")[];
}

const TABLES: Record<EntryKind, EntryTable> = {
  "dev-variable": { table: "DevVariable", plain: { ...FACTS, value: "text" }, sealed: [] },
  "secure-variable": { table: "SecureVariable", plain: FACTS, sealed: ["value"] },
  "secure-certificate": {
    table: "SecureCertificate",
    plain: { ...FACTS, ...DETAILS },
    sealed: ["value", "password"],
  },
};

/** The table that has the current entries of a kind. */
export function tableOfKind(kind: EntryKind): EntryTable["table"] {
  return TABLES[kind].table;
}

/** The JSON of rows for one statement has about this many characters at most. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** Runs a statement over rows, which it takes as a JSON list, in batches. */
async function writeRows(tx: Db, rows: readonly object[], statement: (json: string) => Sql): Promise<void> {
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await queryRows(tx, statement(`[${batch.join(",")}]`));
    batch = [];
    characters = 0;
  };
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (characters + json.length > BATCH_CHARACTERS) await flush();
    batch.push(json);
    characters += json.length;
  }
  await flush();
}

const quoted = (column: string) => `"${column}"`;
const base64 = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("base64");

/** The rows of a JSON list as a relation `x`. */
function recordset(json: string, columns: Columns): Sql {
  const definition = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return sql`jsonb_to_recordset(${json}::jsonb) AS x(${raw(definition.join(", "))})`;
}

const decoded = (column: string) => `decode(x."${column}", 'base64')`;

/** A sealed secret in the row of an entry or in the history. */
interface SealedSecret {
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

/**
 * The order of an entry's changes `c`. The versions are never null, but only the index of an entry's history has this order:
 * with any other, the planner may search all versions of the environment for those of a key that is rarely changed.
 */
const NEWEST_FIRST = raw(`c."version" DESC NULLS LAST`);

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
interface PreparedChange extends EntryChange {
  /** For the entry's row; null where that stays. */
  sealed: SealedSecret | null;
  /** For the history. */
  secretId: string | null;
  newSecret: SealedSecret | null;
}

async function prepareSecrets(
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

/** An entry as a version has it. */
interface HistoryState {
  name: string;
  status: Status;
  /** Of a development variable. */
  value: string | null;
  secretId: string | null;
  details: CertificateDetails | null;
}

/** An entry that differs between two versions; null where a version does not have it. */
interface Difference {
  kind: EntryKind;
  key: string;
  from: HistoryState | null;
  to: HistoryState | null;
}

/** The columns of the history that are an entry's state. */
const STATE: Record<keyof HistoryState, true> = {
  name: true,
  status: true,
  value: true,
  secretId: true,
  details: true,
};

/** A side of a row of `readDifferences` as JSON, null where the entry is not there. */
function stateJson(side: string): string {
  const fields = Object.keys(STATE).map((name) => {
    const column = `"${side}_${name}"`;
    return `'${name}', ${name === "value" ? `CASE WHEN "fits" THEN ${column} END` : column}`;
  });
  return `CASE WHEN "${side}_status" IS NOT NULL THEN json_build_object(${fields.join(", ")}) END`;
}

/** The last state of an entry `t` up to a version, as a relation; empty where the entry did not exist then. */
function stateAt(environmentId: string, version: number): Sql {
  return sql`(
    SELECT l.* FROM (
      SELECT ${raw(Object.keys(STATE).map(quoted).join(", "))} FROM "ConfigurationChange" c
      WHERE c."environmentId" = ${environmentId}::uuid AND c."kind" = t."kind" AND c."key" = t."key"
        AND c."version" <= ${version}::int
      ORDER BY ${NEWEST_FIRST} LIMIT 1
    ) l WHERE l."status" IS NOT NULL)`;
}

/** Entries of an environment: those of some kinds, or only those of one key. */
interface Selection {
  environmentId: string;
  kinds: readonly EntryKind[];
  key?: string;
}

/**
 * All entries that an environment ever had, as a query for "kind" and "key". It takes one step in the index of the history
 * for each entry, so its cost does not depend on the number of versions. The planner cannot know how many there are: what
 * belongs to an entry is looked up by a lateral query with LIMIT, which it does not turn into reading a whole table.
 */
function everyEntry(environmentId: string, kinds: readonly EntryKind[]): Sql {
  const nextKey = (after: Sql) => sql`(
    SELECT c."key" FROM "ConfigurationChange" c
    WHERE c."environmentId" = ${environmentId}::uuid AND c."kind" = e."kind" ${after} ORDER BY c."key" LIMIT 1)`;
  return sql`
    WITH RECURSIVE entry AS (
      SELECT e."kind", ${nextKey(empty)} AS "key" FROM unnest(${[...kinds]}::text[]) AS e("kind")
      UNION ALL
      SELECT e."kind", ${nextKey(sql`AND c."key" > e."key"`)} FROM entry e WHERE e."key" IS NOT NULL
    ) SELECT "kind", "key" FROM entry WHERE "key" IS NOT NULL`;
}

/**
 * A range of at most this many versions is read version by version, in some milliseconds. A longer one is read entry by entry,
 * which takes longer for a short range if there are thousands of entries.
 */
const MAX_SCANNED_VERSIONS = 10_000;

/** The selected entries that were changed after a version, up to another, as a query for "kind" and "key". */
function entriesChanged({ environmentId, kinds, key }: Selection, after: number, upTo: number): Sql {
  const inRange = sql`c."environmentId" = ${environmentId}::uuid AND c."version" > ${after} AND c."version" <= ${upTo}`;
  if (key === undefined && upTo - after <= MAX_SCANNED_VERSIONS) {
    return sql`SELECT DISTINCT c."kind", c."key" FROM "ConfigurationChange" c
      WHERE ${inRange} AND c."kind" = ANY(${[...kinds]}::text[])`;
  }
  const entries =
    key === undefined
      ? everyEntry(environmentId, kinds)
      : sql`SELECT "kind", ${key}::text AS "key" FROM unnest(${[...kinds]}::text[]) AS k("kind")`;
  return sql`SELECT e."kind", e."key" FROM (${entries}) e CROSS JOIN LATERAL (
    SELECT 1 FROM "ConfigurationChange" c
    WHERE ${inRange} AND c."kind" = e."kind" AND c."key" = e."key" ORDER BY ${NEWEST_FIRST} LIMIT 1
  ) changed`;
}

/**
 * The entries that differ between two versions, by kind and key. A secret that was written again differs, even if it is the
 * same: who compares versions must not learn whether a guess is right.
 * @param range.maxValueBytes values of development variables are left out (as null) where they exceed this together
 */
export async function readDifferences(
  db: Db,
  range: Selection & { from: number; to: number; maxValueBytes?: number },
): Promise<{ differences: Difference[]; valuesOmitted: boolean }> {
  const { from, to, maxValueBytes = Number.MAX_SAFE_INTEGER, ...selection } = range;
  const { environmentId } = selection;
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const columns = Object.keys(STATE);
  const states = ["from", "to"].flatMap((side) => columns.map((name) => `"${side}"."${name}" AS "${side}_${name}"`));
  const sizes = ["from", "to"].map((side) => `coalesce(octet_length("${side}_value"), 0)`);
  const rows = await queryRows<Difference & { fits: boolean }>(
    db,
    sql`
      WITH states AS (
        SELECT t."kind", t."key", ${raw(states.join(", "))}
        FROM (${entriesChanged(selection, first, last)}) t LEFT JOIN LATERAL ${stateAt(environmentId, from)} AS "from" ON true
          LEFT JOIN LATERAL ${stateAt(environmentId, to)} AS "to" ON true
        WHERE "from" IS DISTINCT FROM "to"
      ), sized AS (
        SELECT states.*, sum(${raw(sizes.join(" + "))}) OVER () <= ${maxValueBytes}::bigint AS "fits" FROM states
      )
      SELECT "kind", "key", ${raw(stateJson("from"))} AS "from", ${raw(stateJson("to"))} AS "to", "fits"
      FROM sized ORDER BY "kind" COLLATE "C", "key" COLLATE "C"`,
  );
  return { differences: rows, valuesOmitted: rows.some(({ fits }) => !fits) };
}

/** The ids and names of current entries by their keys. */
async function entriesByKey(
  db: Db,
  environmentId: string,
  kind: EntryKind,
  keys: readonly string[],
): Promise<Map<string, { id: string; key: string; name: string }>> {
  const rows = await queryRows<{ id: string; key: string; name: string }>(
    db,
    sql`
      SELECT "id", "key", "name" FROM ${raw(quoted(TABLES[kind].table))}
      WHERE "environmentId" = ${environmentId}::uuid AND "key" = ANY(${[...keys]}::text[])`,
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * The changes that lead from the current configuration to that of a version. Call it from the plan of
 * `withConfigurationChange`.
 */
export async function planRestore(tx: Db, restore: Selection & { version: number }): Promise<EntryChange[]> {
  const { version, ...selection } = restore;
  const { environmentId } = selection;
  const from = await currentVersion(tx, environmentId);
  const { differences } = await readDifferences(tx, { ...selection, from, to: version });
  const changes: EntryChange[] = [];
  for (const [kind, ofKind] of Map.groupBy(differences, ({ kind }) => kind)) {
    const rows = await entriesByKey(
      tx,
      environmentId,
      kind,
      ofKind.map(({ key }) => key),
    );
    for (const { key, from: now, to: then } of ofKind) {
      const row = rows.get(key) ?? null;
      changes.push({ kind, id: row?.id ?? newId(), before: row, after: then && restoredState(key, now, then) });
    }
  }
  return changes;
}

function restoredState(key: string, now: HistoryState | null, then: HistoryState): EntryState {
  const { name, status, value, secretId, details } = then;
  return {
    key,
    name,
    status,
    ...(value !== null && { value }),
    ...(secretId !== null && { secret: secretId === now?.secretId ? ("unchanged" as const) : { secretId } }),
    ...(details && { details }),
  };
}

/** The kinds of which some selected entry was changed after a version. */
export async function kindsChangedSince(db: Db, since: Selection & { version: number }): Promise<EntryKind[]> {
  const { version, ...selection } = since;
  const latest = await currentVersion(db, selection.environmentId);
  const ofKinds = selection.kinds.map((kind) => {
    const changed = entriesChanged({ ...selection, kinds: [kind] }, version, latest);
    return sql`SELECT ${kind}::text AS "kind" WHERE EXISTS (${changed})`;
  });
  const rows = await queryRows<{ kind: EntryKind }>(db, join(ofKinds, " UNION ALL "));
  return rows.map(({ kind }) => kind);
}

/** A version's row as it is listed; `version` is its number as a text, as cursors have it. */
export type VersionRow = Omit<ConfigurationVersion, "version" | "at"> & { id: number; version: string; at: Date };

/** A version's row as the API shows it. */
export function toConfigurationVersion({ id, at, ...row }: VersionRow): ConfigurationVersion {
  return { ...row, version: id, at: at.toISOString() };
}

/**
 * One page of the versions of an environment.
 * @param latest the number of the latest one, which is how many there are
 */
export async function listVersions(db: Db, input: z.output<typeof configurationVersionsInput>, latest: number) {
  const { environmentId, key } = input;
  const { descending, after } = pagePosition(input, [], rowNumber);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  // By kind, because the index of an entry's history begins with it.
  const ofKey = sql`
    SELECT c."version" FROM unnest(${[...ENTRY_KINDS]}::text[]) AS k("kind") JOIN "ConfigurationChange" c
      ON c."environmentId" = ${environmentId}::uuid AND c."kind" = k."kind" AND c."key" = ${key}`;
  const wanted = [
    sql`v."environmentId" = ${environmentId}::uuid`,
    ...(key === undefined ? [] : [sql`v."number" IN (${ofKey})`]),
    ...(after ? [sql`v."number" ${raw(sign)} ${after.id}::int`] : []),
  ];
  const [rows, total] = await Promise.all([
    queryRows<VersionRow>(
      db,
      sql`
        SELECT v."number" AS "id", v."number"::text AS "version", v."at", v."changeCount", v."restoredFrom",
          ${authorJson(`v."userId"`, `v."tokenId"`)} AS "by",
          (
            SELECT json_agg(shown) FROM (
              SELECT c."kind", c."key", c."name", c."action" FROM "ConfigurationChange" c
              WHERE c."environmentId" = v."environmentId" AND c."version" = v."number"
              ORDER BY c."kind", c."key" LIMIT ${MAX_SHOWN_CHANGES}
            ) shown
          ) AS "changes"
        FROM "ConfigurationVersion" v WHERE ${join(wanted, " AND ")}
        ORDER BY v."number" ${raw(direction)} LIMIT ${input.limit + 1}`,
    ),
    key === undefined
      ? { total: latest }
      : cappedCount(FILTERED_COUNT_CAP, async (take) => {
          const [row] = await queryRows<{ count: number }>(
            db,
            sql`SELECT count(DISTINCT "version")::int AS "count" FROM (${ofKey} LIMIT ${take}) counted`,
          );
          return row?.count ?? 0;
        }),
  ]);
  return { ...toPage(rows, input), ...total };
}

/** The environments of an app in which a caller reads entries of a kind, by name. */
export function readableEnvironments(db: Db, sight: Sight, appId: string): Promise<{ id: string; name: string }[]> {
  return db.environment.findMany({
    where: { AND: [{ appId }, environmentWhere.readable(sight)] },
    select: { id: true, name: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}

/** An entry of some environment, as the comparison of environments needs it. */
interface MatrixEntry {
  environmentId: string;
  key: string;
  name: string;
  status: Status;
  /** Equal where the values are; null for secure variables. */
  fingerprint: string | null;
}

/** What tells whether two entries have the same value, without opening one. */
const FINGERPRINTS: Record<EntryKind, string> = {
  "dev-variable": `md5("value")`,
  "secure-variable": "NULL",
  "secure-certificate": `"sha256"`,
};

/** One page of keys, and the entries that have them. */
interface MatrixPage extends Pick<VariablesMatrix, "nextCursor" | "total" | "missing"> {
  keys: string[];
  entries: MatrixEntry[];
}

/**
 * Reads one page of the keys that entries of a kind have in some environments. All keys are counted, in the index of the keys
 * unless there is a search.
 */
export async function readMatrix(
  db: Db,
  environmentIds: readonly string[],
  input: z.output<typeof variablesMatrixInput>,
): Promise<MatrixPage> {
  const { kind, search, state, limit } = input;
  const { descending, after } = pagePosition(input, [], entryKeySchema);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const table = raw(quoted(TABLES[kind].table));
  const ids = sql`${[...environmentIds]}::uuid[]`;
  const like = `%${likeText(search ?? "")}%`;
  const isFound = search ? sql`(x."name" ILIKE ${like} OR x."key" ILIKE ${like})` : sql`true`;
  const isBeyond = after ? sql`x."key" ${raw(sign)} ${after.id}` : sql`true`;
  const isMissing = sql`count(*) < ${environmentIds.length}::int`;
  const position = sql`ORDER BY x."key" ${raw(direction)} LIMIT ${limit + 1}`;
  const pageKeys =
    state === "missing"
      ? sql`
          SELECT x."key" AS "id", x."key" FROM ${table} x WHERE x."environmentId" = ANY(${ids}) AND ${isBeyond}
          GROUP BY x."key" HAVING ${isMissing} AND bool_or(${isFound}) ${position}`
      : sql`
          SELECT DISTINCT x."key" AS "id", x."key" FROM unnest(${ids}) AS e("id") CROSS JOIN LATERAL (
            SELECT x."key" FROM ${table} x WHERE x."environmentId" = e."id" AND ${isBeyond} AND ${isFound} ${position}
          ) x ${position}`;
  const [rows, counts] = await Promise.all([
    queryRows<{ id: string; key: string }>(db, pageKeys),
    queryRows<{ total: number; missing: number }>(
      db,
      sql`
        SELECT (count(*) FILTER (WHERE ${state === "missing" ? sql`k."isFound" AND k."isMissing"` : raw(`k."isFound"`)}))::int
          AS "total", (count(*) FILTER (WHERE k."isMissing"))::int AS "missing"
        FROM (
          SELECT bool_or(${isFound}) AS "isFound", ${isMissing} AS "isMissing"
          FROM ${table} x WHERE x."environmentId" = ANY(${ids}) GROUP BY x."key"
        ) k`,
    ),
  ]);
  const { rows: page, nextCursor } = toPage(rows, input);
  const keys = page.map(({ key }) => key);
  const entries = await queryRows<MatrixEntry>(
    db,
    sql`
      SELECT "environmentId", "key", "name", "status", ${raw(FINGERPRINTS[kind])} AS "fingerprint"
      FROM ${table} WHERE "environmentId" = ANY(${ids}) AND "key" = ANY(${keys}::text[])`,
  );
  return { keys, entries, nextCursor, total: counts[0]?.total ?? 0, missing: counts[0]?.missing ?? 0 };
}

/** An active entry of a configuration, its secret sealed. */
export interface ActiveEntry {
  kind: EntryKind;
  key: string;
  name: string;
  /** Of a development variable. */
  plain: string | null;
  /** Of the other kinds, where it was asked for, with the place that it is sealed for. */
  sealed: (SealedSecret & { place: Omit<SealedPlace, "column"> }) | null;
  /** Of a certificate. */
  details: CertificateDetails | null;
}

interface ActiveRow {
  version: number;
  kind: EntryKind | null;
  id: string;
  key: string;
  name: string;
  plain: string | null;
  value: Uint8Array | null;
  password: Uint8Array | null;
  details: CertificateDetails | null;
}

/** The active rows of an entry's table, with the columns of an `ActiveRow`. */
function activeRows(environmentId: string, kind: EntryKind, withSecret: boolean): Sql {
  const { table, plain, sealed } = TABLES[kind];
  const isSealed = (name: "value" | "password") => withSecret && sealed.includes(name);
  const details = Object.keys(DETAILS).flatMap((name) => [`'${name}'`, `v."${name}"`]);
  const columns = [
    `'${kind}' AS "kind", v."id", v."key", v."name"`,
    `${"value" in plain ? `v."value"` : "NULL::text"} AS "plain"`,
    `${isSealed("value") ? `v."value"` : "NULL::bytea"} AS "value"`,
    `${isSealed("password") ? `v."password"` : "NULL::bytea"} AS "password"`,
    `${kind === "secure-certificate" ? `json_build_object(${details.join(", ")})` : "NULL::json"} AS "details"`,
  ];
  return sql`SELECT ${raw(columns.join(", "))} FROM ${raw(quoted(table))} v
    WHERE v."environmentId" = ${environmentId}::uuid AND v."status" = 'active'`;
}

/**
 * The active entries of an environment's configuration by kind and key, with the version that they belong to, as one
 * statement sees them.
 * @param options.kinds at least one
 * @param options.secrets the kinds whose secrets are read
 * @param options.version as of which they are read; by default, as they are now
 * @returns null where there never was such a version
 */
export async function readActiveEntries(
  db: Db,
  environmentId: string,
  options: { kinds: readonly EntryKind[]; secrets: readonly EntryKind[]; version?: number },
): Promise<{ version: number; entries: ActiveEntry[] } | null> {
  const { kinds, secrets, version } = options;
  const rows = await queryRows<ActiveRow>(
    db,
    version === undefined
      ? sql`
          SELECT e."configurationVersion" AS "version", x.*
          FROM "Environment" e
          LEFT JOIN (${join(
            kinds.map((kind) => activeRows(environmentId, kind, secrets.includes(kind))),
            " UNION ALL ",
          )}) x ON true
          WHERE e."id" = ${environmentId}::uuid ORDER BY x."kind", x."key" COLLATE "C"`
      : sql`
          SELECT ${version}::int AS "version", x."kind", s."id", x."key", x."name", x."value" AS "plain", s."value",
            s."password", x."details"
          FROM "Environment" e
          LEFT JOIN (
            SELECT t."kind", t."key", state.* FROM (${everyEntry(environmentId, kinds)}) t
            CROSS JOIN LATERAL ${stateAt(environmentId, version)} AS state
          ) x ON x."status" = 'active'
          LEFT JOIN LATERAL (
            SELECT "id", "value", "password" FROM "ConfigurationSecret"
            WHERE "id" = x."secretId" AND x."kind" = ANY(${[...secrets]}::text[]) LIMIT 1
          ) s ON true
          WHERE e."id" = ${environmentId}::uuid AND e."configurationVersion" >= ${version}
          ORDER BY x."kind", x."key" COLLATE "C"`,
    { prepared: true },
  );
  const [first] = rows;
  if (!first) return null;
  const tableFor = (kind: EntryKind) => (version === undefined ? TABLES[kind].table : "ConfigurationSecret");
  const entries = rows.flatMap(({ kind, id, key, name, plain, value, password, details }) => {
    if (kind === null) return [];
    const sealed = value && { value, password, place: { table: tableFor(kind), id } };
    return [{ kind, key, name, plain, sealed, details }];
  });
  return { version: first.version, entries };
}
