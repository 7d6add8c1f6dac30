import "server-only";
import type { KeyObject } from "node:crypto";
import type { AuditFault, AuditHead } from "@/lib/audit/chain";
import {
  type Checkpoint,
  checkpointSchema,
  headOf,
  isSigned,
  publicKeyText,
  signCheckpoint,
} from "@/lib/audit/checkpoint";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { ownVerificationKey, type SigningKey, signingKey } from "./server-keys";

/** Signs the head of the log with the key of this console. @param head null if the log is empty */
export async function makeCheckpoint(head: AuditHead | null, now: Date): Promise<Checkpoint> {
  const { kid, key } = await signingKey(now);
  return signCheckpoint(head, { console: env.APP_URL, now, kid, key });
}

/** Stores a checkpoint of a head that was verified. */
export async function storeCheckpoint(db: Db, head: AuditHead, now: Date): Promise<void> {
  const checkpoint = await makeCheckpoint(head, now);
  const records = BigInt(head.id);
  await db.auditCheckpoint.createMany({ data: [{ records, checkpoint }], skipDuplicates: true });
}

/** The stored checkpoints, and those among them that this console did not sign. */
interface StoredCheckpoints {
  own: Checkpoint[];
  /** The heads, oldest first. */
  heads: AuditHead[];
  faults: AuditFault[];
}

/**
 * Reads the stored checkpoints, oldest first. Write access to the database is not enough to forge one, because the
 * signing key is sealed under the master key.
 * @param options.latest reads only the newest
 */
export async function storedCheckpoints(db: Db, { latest = false } = {}): Promise<StoredCheckpoints> {
  const rows = await db.auditCheckpoint.findMany({ orderBy: { records: "desc" }, ...(latest && { take: 1 }) });
  const keys = new Map<string, KeyObject | null>();
  const stored: StoredCheckpoints = { own: [], heads: [], faults: [] };
  for (const { records, checkpoint } of rows.reverse()) {
    const { data } = checkpointSchema.safeParse(checkpoint);
    if (data && !keys.has(data.kid)) keys.set(data.kid, await ownVerificationKey(db, data.kid));
    const key = data && keys.get(data.kid);
    const head = data && headOf(data);
    const isOwn = key && head?.id === String(records) && isSigned(data) && publicKeyText(key) === data.publicKey;
    if (isOwn) {
      stored.own.push(data);
      stored.heads.push(head);
    } else {
      stored.faults.push({ fault: "checkpoint", id: String(records) });
    }
  }
  return stored;
}

/** Signs checkpoints again with another key, because the one that signed them is revoked. */
export async function resignCheckpoints(
  tx: Db,
  checkpoints: readonly Checkpoint[],
  { kid, key }: SigningKey,
): Promise<void> {
  for (const checkpoint of checkpoints) {
    const { console, createdAt, records } = checkpoint;
    const signed = signCheckpoint(headOf(checkpoint), { console, now: new Date(createdAt), kid, key });
    await tx.auditCheckpoint.update({ where: { records }, data: { checkpoint: signed } });
  }
}
