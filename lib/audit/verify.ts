import "server-only";
import { createHash } from "node:crypto";
import type pg from "pg";

/** How many records are in memory at once. */
const BATCH = 1_000;
/** At most this many faults are named. */
const MAX_FAULTS = 100;
const FIRST_HASH = "0".repeat(64);

/** What is wrong with the log, by the numbers of its records. */
export type AuditFault =
  /** Something in the record is not what it was when it was written. */
  | { fault: "changed"; id: string }
  /** The record was written in another place than it stands in, or put there later. */
  | { fault: "reordered"; id: string }
  /** The records from the one number to the other are gone. */
  | { fault: "removed"; from: string; to: string };

/** The end of the chain. Kept elsewhere, it shows later whether the log was truncated or rewritten. */
export interface AuditHead {
  id: string;
  hash: string;
}

export interface AuditVerification {
  /** How many were read. */
  records: number;
  faults: AuditFault[];
  /** There were more than are named. */
  more: boolean;
  /** Null in an empty log. */
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
 * Reads the whole audit log and names every record that was changed, removed or moved. It reads a thousand records at a
 * time, including those written during the run.
 *
 * A chain alone cannot prove that its end was not truncated or that the whole log was not rewritten. A head of an
 * earlier verification, kept where nobody can change it, proves both.
 *
 * @param known heads of earlier verifications
 */
export async function verifyAudit(pool: pg.Pool, known: readonly AuditHead[] = []): Promise<AuditVerification> {
  const unseen = new Map(known.map(({ id, hash }) => [id, hash]));
  const faults: AuditFault[] = [];
  let records = 0;
  let more = false;
  let previous: { id: bigint; hash: string; sound: boolean } = { id: 0n, hash: FIRST_HASH, sound: true };
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
      // What follows on a gap or on a record that was found faulty says nothing new by not fitting.
      const follows = row.previousHash === previous.hash;
      const fits = follows || isGap || !previous.sound;
      const isKnown = (unseen.get(row.id) ?? row.hash) === row.hash;
      unseen.delete(row.id);
      if (!isIntact) note({ fault: follows || isGap ? "changed" : "reordered", id: row.id });
      else if (!fits) note({ fault: "reordered", id: row.id });
      else if (!isKnown) note({ fault: "changed", id: row.id });
      previous = { id, hash: row.hash, sound: isIntact && fits && isKnown };
    }
  }
  for (const id of unseen.keys()) note({ fault: "removed", from: id, to: id });
  return { records, faults, more, head: records === 0 ? null : { id: String(previous.id), hash: previous.hash } };
}
