import "server-only";
import { createHash } from "node:crypto";
import type pg from "pg";

/** The number of records that are read at a time. */
const BATCH = 1_000;
/** The maximum number of reported faults. */
const MAX_FAULTS = 100;
const FIRST_HASH = "0".repeat(64);

/** A fault of the log, with the IDs of the records. */
export type AuditFault =
  /** The record differs from its hash, or from a known head. */
  | { fault: "changed"; id: string }
  /** The record does not follow the one before it: it was moved or inserted, or the one before it was rewritten. */
  | { fault: "reordered"; id: string }
  /** The records `from` to `to`, inclusive, are missing. */
  | { fault: "removed"; from: string; to: string };

/** The last record of the chain. Stored elsewhere, it later shows whether the log was truncated or rewritten. */
export interface AuditHead {
  id: string;
  hash: string;
}

export interface AuditVerification {
  /** The number of records that were read. */
  records: number;
  faults: AuditFault[];
  /** Whether there were more faults than reported. */
  more: boolean;
  /** Null if the log is empty. */
  head: AuditHead | null;
}

interface Row {
  id: string;
  previousHash: string;
  hash: string;
  content: string;
}

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
 * Verifies the hash chain of the whole audit log, including records written during the run.
 *
 * The chain alone does not show that its end was truncated or that the whole log was rewritten. The head of an earlier
 * verification, stored where nobody can change it, shows both.
 *
 * @param known heads of earlier verifications
 */
export async function verifyAudit(pool: pg.Pool, known: readonly AuditHead[] = []): Promise<AuditVerification> {
  const unverified = new Map(known.map(({ id, hash }) => [id, hash]));
  const faults: AuditFault[] = [];
  let records = 0;
  let more = false;
  let previous: { id: bigint; hash: string; intact: boolean } = { id: 0n, hash: FIRST_HASH, intact: true };
  const note = (fault: AuditFault) => {
    if (faults.length < MAX_FAULTS) faults.push(fault);
    else more = true;
  };

  for (;;) {
    const { rows } = await pool.query<Row>(RECORDS, [previous.id.toString()]);
    if (rows.length === 0) break;
    for (const row of rows) {
      records += 1;
      const id = BigInt(row.id);
      const isGap = id !== previous.id + 1n;
      if (isGap) note({ fault: "removed", from: String(previous.id + 1n), to: String(id - 1n) });
      const isIntact = createHash("sha256").update(row.content).digest("hex") === row.hash;
      // A record after a gap or a faulty record is not reported again for not following.
      const follows = row.previousHash === previous.hash;
      const fits = follows || isGap || !previous.intact;
      const isKnown = (unverified.get(row.id) ?? row.hash) === row.hash;
      unverified.delete(row.id);
      if (!isIntact) note({ fault: follows || isGap ? "changed" : "reordered", id: row.id });
      else if (!fits) note({ fault: "reordered", id: row.id });
      else if (!isKnown) note({ fault: "changed", id: row.id });
      previous = { id, hash: row.hash, intact: isIntact && fits && isKnown };
    }
  }
  for (const id of unverified.keys()) note({ fault: "removed", from: id, to: id });
  return { records, faults, more, head: records === 0 ? null : { id: String(previous.id), hash: previous.hash } };
}
