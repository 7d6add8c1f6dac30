import { type Changes, writeAudit } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";

interface CommandRecord extends Record<"table" | "action" | "recordId", string> {
  changes?: Changes;
  now?: Date;
}

/** Writes the record of a maintenance command to the audit log. */
export async function recordCommand(tx: Db, { changes, now = new Date(), ...record }: CommandRecord): Promise<void> {
  await writeAudit(tx, {
    actor: { kind: "anonymous", expired: false },
    request: { now, ip: null, requestId: newId() },
    ...record,
    changes: { ...changes, by: [null, "command line"] },
  });
}
