import { z } from "zod";
import { listInput, listOutput, periodFilters } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";

/** One record of the audit log: a change or a failed sign-in. */
export const auditRecordSchema = z.object({
  /** Its number in the log. */
  id: z.number().int(),
  /** The user who made the change; null for an unknown caller or an API token. */
  userId: idSchema.nullable(),
  /** The user's current e-mail; null if the account does not exist. */
  userEmail: z.string().nullable(),
  /** The kind of object that was changed. */
  table: z.string(),
  recordId: z.string().nullable(),
  action: z.string(),
  eventDate: z.iso.datetime(),
  /** Field → [before, after]; for secrets, only that they changed. */
  changes: z.record(z.string(), z.tuple([z.json(), z.json()])),
});
export type AuditRecord = z.output<typeof auditRecordSchema>;

export const auditRecordsOutput = listOutput(auditRecordSchema);

const name = z.string().trim().min(1).max(50);

/** A search applies to the table names. */
export const getAuditLogsInput = listInput({
  sorts: ["-eventDate"],
  filters: {
    table: name.optional(),
    action: name.optional(),
    userId: idSchema.optional(),
    recordId: z.string().trim().min(1).max(100).optional(),
    ...periodFilters,
    /** `csv` returns all matching records as a file and ignores `limit` and `cursor`. */
    format: z.enum(["json", "csv"]).default("json"),
  },
});
