import { writeAudit } from "@/lib/audit/write";
import { db } from "@/lib/db/client";
import { simpleSample } from "@/lib/testing/sample";
import { getAuditLog } from "./get-audit-log";

export const sample = simpleSample(getAuditLog, async ({ admin }) => {
  await db.$transaction((tx) =>
    writeAudit(tx, {
      actor: { kind: "anonymous", expired: false },
      request: { requestId: "r", now: new Date(), ip: null },
      table: "User",
      action: "update",
      recordId: admin.userId,
      changes: {},
    }),
  );
  const { id } = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
  return { id: Number(id) };
});
