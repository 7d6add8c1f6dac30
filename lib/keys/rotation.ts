import "server-only";
import { db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { type MasterKeys, masterKeys } from "@/lib/kernel/crypto/master-keys";
import { ENVELOPE_BYTES, rewrap, SealedError, unseal } from "@/lib/kernel/crypto/sealed";
import { hex } from "@/lib/kernel/hex";
import { masterKeyIdOf } from "./master-key-use";
import { SEALED_COLUMNS, type SealedColumn } from "./sealed-columns";

/** Rows of one statement. Only the wrapped keys are read, about 70 bytes each. */
const ROTATION_BATCH_ROWS = 500;
const VERIFICATION_BATCH_ROWS = 200;
/** Values that are read by one statement, in bytes; one that is larger is read alone. */
const VERIFICATION_BATCH_BYTES = 8 * 1024 * 1024;
/** Attempts to update a batch that PostgreSQL cancels, because another transaction holds its rows in another order. */
const DEADLOCK_ATTEMPTS = 5;

/** A value that does not open. */
export interface UnopenedValue {
  table: string;
  id: string;
  column: string;
  /** Never has a part of the value. */
  reason: string;
}

interface Row {
  id: string;
  bytes: Uint8Array;
}

const name = (identifier: string) => raw(`"${identifier}"`);

/** The primary keys after one, in the order of the index. */
function after({ id, idType }: SealedColumn, last: string | null) {
  return last === null ? sql`true` : sql`${name(id)} > ${last}::${raw(idType)}`;
}

/** @returns the reason why it does not open; null if it does */
function refusal(open: () => void): string | null {
  try {
    open();
    return null;
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    return error.message;
  }
}

interface RotationProgress {
  /** Values that had another master key at the start. */
  total: number;
  /** Of these, how many were read. */
  done: number;
}

interface RotationResult {
  /** Values whose data key is now wrapped by the current master key. */
  rewrapped: number;
  /** Values that another process changed between reading and writing; they keep that change. */
  changed: number;
  failed: number;
}

/** What a command learns while the values are read. */
export interface Listener<P> {
  /** Is called after each batch. */
  progress(progress: P): void;
  /** Is called for each value that does not open. */
  failed(value: UnopenedValue): void;
}

/**
 * Wraps the data keys of all sealed values by the current master key, in batches. A batch is one statement, so the process
 * may be killed at any time and run again. A value is written only if its wrapped key is still the one that was read.
 */
export async function rotateMasterKey(
  listener: Listener<RotationProgress>,
  keys: MasterKeys = masterKeys(),
): Promise<RotationResult> {
  const result: RotationResult = { rewrapped: 0, changed: 0, failed: 0 };
  const progress: RotationProgress = { total: 0, done: 0 };
  for (const column of SEALED_COLUMNS) progress.total += await countOthers(column, keys);
  listener.progress(progress);
  for (const sealed of SEALED_COLUMNS) {
    for (let last: string | null = null; ; ) {
      const rows: Row[] = await readEnvelopes(sealed, last, keys);
      const end = rows.at(-1);
      if (!end) break;
      last = end.id;
      const changes = rows.flatMap(({ id, bytes }) => {
        const place = { table: sealed.table, id, column: sealed.column };
        let rewrapped: Uint8Array | undefined;
        const reason = refusal(() => {
          rewrapped = rewrap(bytes, place, keys);
        });
        if (reason !== null) {
          result.failed += 1;
          listener.failed({ ...place, reason });
        }
        return rewrapped ? [{ id, from: bytes, to: rewrapped }] : [];
      });
      const written = await writeEnvelopes(sealed, changes);
      result.rewrapped += written;
      result.changed += changes.length - written;
      progress.done += rows.length;
      listener.progress(progress);
    }
  }
  return result;
}

/** The values of a column that another than the current master key wraps. */
async function countOthers(sealed: SealedColumn, keys: MasterKeys): Promise<number> {
  const rows = await queryRows<{ count: bigint }>(
    db,
    sql`SELECT count(*) AS "count" FROM ${name(sealed.table)}
        WHERE ${name(sealed.column)} IS NOT NULL AND ${masterKeyIdOf(sealed)} IS DISTINCT FROM ${keys.current.id}`,
  );
  return Number(rows[0]?.count ?? 0);
}

function readEnvelopes(sealed: SealedColumn, last: string | null, keys: MasterKeys): Promise<Row[]> {
  const column = name(sealed.column);
  return queryRows<Row>(
    db,
    sql`SELECT ${name(sealed.id)}::text AS "id", substring(${column} FROM 1 FOR ${ENVELOPE_BYTES}::int) AS "bytes"
        FROM ${name(sealed.table)}
        WHERE ${after(sealed, last)} AND ${column} IS NOT NULL
          AND ${masterKeyIdOf(sealed)} IS DISTINCT FROM ${keys.current.id}
        ORDER BY ${name(sealed.id)} LIMIT ${ROTATION_BATCH_ROWS}::int`,
  );
}

/** @returns how many rows still had the envelope that was read */
async function writeEnvelopes(
  sealed: SealedColumn,
  changes: { id: string; from: Uint8Array; to: Uint8Array }[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const column = name(sealed.column);
  const statement = sql`
    UPDATE ${name(sealed.table)} AS t
    SET ${column} = overlay(t.${column} PLACING decode(c."to", 'hex') FROM 1 FOR ${ENVELOPE_BYTES}::int)
    FROM unnest(${changes.map(({ id }) => id)}::text[], ${changes.map(({ from }) => hex(from))}::text[],
      ${changes.map(({ to }) => hex(to))}::text[]) AS c("id", "from", "to")
    WHERE t.${name(sealed.id)} = c."id"::${raw(sealed.idType)}
      AND substring(t.${column} FROM 1 FOR ${ENVELOPE_BYTES}::int) = decode(c."from", 'hex')
    RETURNING 1 AS "written"`;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await queryRows(db, statement)).length;
    } catch (error) {
      const isDeadlock = (error as { code?: unknown }).code === "40P01";
      if (!isDeadlock || attempt === DEADLOCK_ATTEMPTS) throw error;
    }
  }
}

interface VerificationResult {
  opened: number;
  failed: number;
}

/**
 * Opens every sealed value at its place.
 * @param listener is told the number of values that were read
 */
export async function verifySealedValues(
  listener: Listener<number>,
  keys: MasterKeys = masterKeys(),
): Promise<VerificationResult> {
  const result: VerificationResult = { opened: 0, failed: 0 };
  for (const sealed of SEALED_COLUMNS) {
    for (let last: string | null = null; ; ) {
      const rows: Row[] = await readValues(sealed, last);
      const end = rows.at(-1);
      if (!end) break;
      last = end.id;
      for (const { id, bytes } of rows) {
        const place = { table: sealed.table, id, column: sealed.column };
        const reason = refusal(() => unseal(bytes, place, keys));
        if (reason === null) {
          result.opened += 1;
        } else {
          result.failed += 1;
          listener.failed({ ...place, reason });
        }
      }
      listener.progress(result.opened + result.failed);
    }
  }
  return result;
}

function readValues(sealed: SealedColumn, last: string | null): Promise<Row[]> {
  const [id, column] = [name(sealed.id), name(sealed.column)];
  return queryRows<Row>(
    db,
    sql`SELECT "id", "bytes" FROM (
          SELECT ${id}::text AS "id", ${column} AS "bytes", ${id} AS "position",
            sum(octet_length(${column})) OVER (ORDER BY ${id}) - octet_length(${column}) AS "bytesBefore"
          FROM (
            SELECT ${id}, ${column} FROM ${name(sealed.table)}
            WHERE ${after(sealed, last)} AND ${column} IS NOT NULL
            ORDER BY ${id} LIMIT ${VERIFICATION_BATCH_ROWS}::int
          ) AS batch
        ) AS sized
        WHERE "bytesBefore" < ${VERIFICATION_BATCH_BYTES}::int
        ORDER BY "position"`,
  );
}
