import "server-only";
import { createHash } from "node:crypto";

/** The maximum number of reported faults. */
const MAX_FAULTS = 100;

/** The hash that the first record follows. */
export const FIRST_HASH = "0".repeat(64);

/** A fault of the log, with the IDs of the records. */
export type AuditFault =
  /** The record differs from its hash. */
  | { fault: "changed"; id: string }
  /** The record does not follow the one before it: it was moved or inserted, or the one before it was rewritten. */
  | { fault: "reordered"; id: string }
  /** The records `from` to `to`, inclusive, are missing. */
  | { fault: "removed"; from: string; to: string }
  /** The record `to` differs from a known head, so a record after `from`, inclusive, was rewritten with all later ones. */
  | { fault: "rewritten"; from: string; to: string }
  /** The stored checkpoint of the record is not signed by this console. */
  | { fault: "checkpoint"; id: string };

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

/** A record as the chain contains it. */
export interface ChainRecord {
  id: string;
  previousHash: string;
  hash: string;
  /** The text that the hash covers. */
  content: string;
}

/** The number of the first record that a fault is about. */
function firstOf(fault: AuditFault): bigint {
  return BigInt("id" in fault ? fault.id : fault.from);
}

function inOrder(ids: bigint[]): bigint[] {
  return ids.sort((one, other) => Number(one - other));
}

/** The number of the first wrong record; null if there is no fault. */
export function firstWrongRecord(faults: readonly AuditFault[]): string | null {
  return inOrder(faults.map(firstOf))[0]?.toString() ?? null;
}

/** SHA-256 in hexadecimal. */
function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Verifies a hash chain: that each record has its hash, follows the one before it, and that the known heads are part of it.
 *
 * The chain alone does not show that its end was truncated or that the whole log was rewritten. A known head shows both.
 *
 * @param batches the records in the order of their IDs
 * @param options.from a known head at which the batches start; by default, they start at the first record
 * @param options.known heads of earlier verifications
 * @param options.onProgress is told the number of records after each batch
 */
export async function verifyChain(
  batches: AsyncIterable<readonly ChainRecord[]>,
  options: {
    from?: AuditHead;
    known?: readonly AuditHead[];
    onProgress?: (records: number) => Promise<void> | void;
  } = {},
): Promise<AuditVerification> {
  const { from, onProgress } = options;
  const start = from ? BigInt(from.id) - 1n : 0n;
  const known = [...(options.known ?? []), ...(from ? [from] : [])].filter(({ id }) => BigInt(id) > start);
  const unverified = new Map(known.map(({ id, hash }) => [id, hash]));
  const faults: AuditFault[] = [];
  let records = 0;
  let more = false;
  /** The latest record that a known head confirms. */
  let confirmed = 0n;
  // What the first record follows is not known if it is not the first of the log.
  let previous: { id: bigint; hash: string | null; intact: boolean } = {
    id: start,
    hash: from ? null : FIRST_HASH,
    intact: true,
  };
  const note = (fault: AuditFault) => {
    if (faults.length < MAX_FAULTS) faults.push(fault);
    else more = true;
  };

  for await (const batch of batches) {
    for (const row of batch) {
      records += 1;
      const id = BigInt(row.id);
      const isGap = id !== previous.id + 1n;
      if (isGap && id > previous.id) {
        note({ fault: "removed", from: String(previous.id + 1n), to: String(id - 1n) });
        for (const head of unverified.keys()) if (BigInt(head) < id) unverified.delete(head);
      }
      const isIntact = hashOf(row.content) === row.hash;
      // A record after a gap or a faulty record is not reported again for not following.
      const follows = previous.hash === null || row.previousHash === previous.hash;
      const fits = id > previous.id && (follows || isGap || !previous.intact);
      const knownHash = unverified.get(row.id);
      const isKnown = (knownHash ?? row.hash) === row.hash;
      unverified.delete(row.id);
      if (!isIntact) note({ fault: follows || isGap ? "changed" : "reordered", id: row.id });
      else if (!fits) note({ fault: "reordered", id: row.id });
      else if (!isKnown) note({ fault: "rewritten", from: String(confirmed + 1n), to: row.id });
      if (knownHash !== undefined && isKnown) confirmed = id;
      previous = { id: id > previous.id ? id : previous.id, hash: row.hash, intact: isIntact && fits && isKnown };
    }
    await onProgress?.(records);
  }
  const missing = inOrder([...unverified.keys()].map(BigInt).filter((id) => id > previous.id)).at(-1);
  if (missing !== undefined) note({ fault: "removed", from: String(previous.id + 1n), to: String(missing) });
  const isEmpty = records === 0 || previous.hash === null;
  return { records, faults, more, head: isEmpty ? null : { id: String(previous.id), hash: previous.hash as string } };
}
