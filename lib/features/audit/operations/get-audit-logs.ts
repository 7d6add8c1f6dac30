import "server-only";
import { csvReply } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import { auditCsv, listAuditRecords, toAuditRecord } from "../data";
import { auditRecordsOutput, getAuditLogsInput } from "../schema";

/** The audit log, newest first. `format=csv` returns all matching records in the same order (RFC 4180). */
export const getAuditLogs = defineQuery({
  area: "config",
  name: "get-audit-logs",
  summary: "List the audit log, newest first, or export it as CSV",
  access: "admin",
  input: getAuditLogsInput,
  output: auditRecordsOutput,
  errors: [],
  async handler({ input, db, request }) {
    const { rows, ...page } = await listAuditRecords(db, input);
    return { items: rows.map((row) => toAuditRecord(row, request.locale)), ...page };
  },
  asFile: {
    contentTypes: ["text/csv"],
    reply({ input, db, request }) {
      if (input.format !== "csv") return null;
      return csvReply("audit-log", request, auditCsv(db, input));
    },
  },
});
