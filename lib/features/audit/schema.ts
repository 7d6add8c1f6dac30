import { z } from "zod";
import { listInput, listOutput, periodFilters } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";

/** One record of the audit log: one change, or one sign-in that failed. */
export const auditRecordSchema = z.object({
  /** Its number in the log. */
  id: z.number().int(),
  /** The user who made the change; null for an unknown caller or an API token. */
  userId: idSchema.nullable(),
  /** Their address today; null where there is no such account. */
  userEmail: z.string().nullable(),
  /** What kind of thing was changed. */
  table: z.string(),
  recordId: z.string().nullable(),
  action: z.string(),
  eventDate: z.iso.datetime(),
  /** Field → [before, after]; of secrets only that they changed. */
  changes: z.record(z.string(), z.tuple([z.json(), z.json()])),
});
export type AuditRecord = z.output<typeof auditRecordSchema>;

export const auditRecordsOutput = listOutput(auditRecordSchema);

const name = z.string().trim().min(1).max(50);

/** A search looks into the names of the tables. */
export const getAuditLogsInput = listInput({
  sorts: ["-eventDate"],
  filters: {
    table: name.optional(),
    action: name.optional(),
    userId: idSchema.optional(),
    recordId: z.string().trim().min(1).max(100).optional(),
    ...periodFilters,
    /** `csv` answers with all that match, as a file; `limit` and `cursor` count for nothing then. */
    format: z.enum(["json", "csv"]).default("json"),
  },
});
