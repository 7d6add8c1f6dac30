import "server-only";
import type pg from "pg";
import { type AuditHead, type AuditVerification, type ChainRecord, verifyChain } from "./chain";

/** Where records are read from: the pool, or a client with a transaction. */
type AuditSource = pg.Pool | pg.ClientBase;

/** The number of records that are read at a time. */
const BATCH = 1_000;

/**
 * The content that a record's hash covers, as in `audit_record_hash`. The database function itself is not called: an
 * attacker who can change records can replace it too.
 */
const RECORDS = `
  SELECT "id"::text, "previousHash", "hash", jsonb_build_array(
    "previousHash", "id", "userId", "tokenId", "table", "recordId", "action",
    (extract(epoch FROM "eventDate") * 1000)::bigint, "changes", "ip", "requestId"
  )::text AS "content"
  FROM "AuditRecord" WHERE "id" > $1 ORDER BY "AuditRecord"."id" LIMIT ${BATCH}`;

/**
 * The records of the log in the order of their IDs, including those written while it is read.
 * @param options.after the number of the record after which it starts; by default, the start of the log
 */
export async function* readChain(
  pool: AuditSource,
  { after = 0n, signal }: { after?: bigint; signal?: AbortSignal } = {},
): AsyncGenerator<readonly ChainRecord[]> {
  for (let last = after.toString(); ; ) {
    signal?.throwIfAborted();
    const { rows } = await pool.query<ChainRecord>(RECORDS, [last]);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.id ?? last;
  }
}

/**
 * Verifies the hash chain of the audit log, including records written during the run.
 *
 * @param known heads of earlier verifications
 * @param options.from the head of an earlier verification: only it and the records after it are read
 * @param options.onProgress is told the number of records that were read
 */
export async function verifyAudit(
  pool: AuditSource,
  known: readonly AuditHead[] = [],
  options: { from?: AuditHead; signal?: AbortSignal; onProgress?: (records: number) => Promise<void> | void } = {},
): Promise<AuditVerification> {
  const { from, signal, onProgress } = options;
  const after = from ? BigInt(from.id) - 1n : 0n;
  return verifyChain(readChain(pool, { after, signal }), { from, known, onProgress });
}
