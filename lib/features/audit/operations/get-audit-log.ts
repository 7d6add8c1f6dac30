import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { isRedacted } from "@/lib/audit/write";
import { findAuditRecord, findChangedObject, toAuditRecord } from "../data";
import { auditLogSchema, getAuditLogInput } from "../schema";

/** One record of the audit log, with its request, address and place in the chain. */
export const getAuditLog = defineQuery({
  area: "config",
  name: "get-audit-log",
  summary: "Get a record of the audit log",
  access: "admin",
  input: getAuditLogInput,
  output: auditLogSchema,
  errors: ["not_found"],
  async handler({ input, db, request }) {
    const row = orNotFound(await findAuditRecord(db, input.id));
    const { ip, requestId, previousHash, hash } = row;
    const record = toAuditRecord(row, request.locale);
    return {
      ...record,
      ...{ ip, requestId, previousHash, hash },
      redacted: Object.keys(record.changes).filter(isRedacted),
      record: await findChangedObject(db, row),
    };
  },
});
