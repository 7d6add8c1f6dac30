import { withoutNames } from "@/lib/audit/names";
import type { Changes } from "@/lib/audit/write";
import type { AuditRecord } from "@/lib/db/generated/client";

/** The changed fields of an audit record, without the names that it contains. */
export function changedFields({ changes }: Pick<AuditRecord, "changes">): Changes {
  return withoutNames(changes as Changes);
}
