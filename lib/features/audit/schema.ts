import { z } from "zod";
import { csvFormat, inPeriod, listInput, listOutput, periodFilters } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";

/** One record of the audit log: a change or a failed sign-in. */
const auditRecordSchema = z.object({
  /** Its number in the log. */
  id: z.number().int(),
  /** The user who made the change; null for an unknown caller or an API token. */
  userId: idSchema.nullable(),
  /** The user's current names and e-mail; null if the account does not exist. */
  userName: z.string().nullable(),
  userEmail: z.string().nullable(),
  /** The API token that made the change, and its name; the name is null if the token was deleted. */
  tokenId: idSchema.nullable(),
  tokenName: z.string().nullable(),
  /** The kind of object that was changed. */
  table: z.string(),
  recordId: z.string().nullable(),
  action: z.string(),
  eventDate: z.iso.datetime(),
  /** Field → [before, after]; for secrets, only that they changed. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  /** What happened, in the caller's language. */
  sentence: z.string(),
  /** The names at that time: of the user or API token, and of the object; null if they are not known. */
  actorName: z.string().nullable(),
  recordName: z.string().nullable(),
  /** The application and environment of the change, with their names at that time; null if it belongs to none. */
  place: z.object({ app: z.string(), environment: z.string().nullable() }).nullable(),
});
export type AuditRecord = z.output<typeof auditRecordSchema>;

export const auditRecordsOutput = listOutput(auditRecordSchema);

const name = z.string().trim().min(1).max(50);

/** A search applies to the names of tables, people, API tokens, objects, applications and environments. */
export const getAuditLogsInput = inPeriod(
  listInput({
    sorts: ["-eventDate"],
    filters: {
      table: name.optional(),
      action: name.optional(),
      userId: idSchema.optional(),
      recordId: z.string().trim().min(1).max(100).optional(),
      ...periodFilters,
      ...csvFormat,
    },
  }),
);

export const getAuditLogInput = z.strictObject({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });

/** One record with everything that its hash covers. */
export const auditLogSchema = auditRecordSchema.extend({
  /** The fields of `changes` whose values are secret and were not recorded. */
  redacted: z.array(z.string()),
  requestId: z.string(),
  /** The address of the caller; null for a background job or command. */
  ip: z.string().nullable(),
  /** The hash of the record before, and of this one: SHA-256 in hexadecimal. */
  previousHash: z.string(),
  hash: z.string(),
  /** The object that was changed, if it still exists, and the place that it belongs to. */
  record: z.object({ name: z.string(), appId: idSchema.nullable(), environmentId: idSchema.nullable() }).nullable(),
});
export type AuditLog = z.output<typeof auditLogSchema>;

/** The tables and actions that the log contains, in alphabetical order. */
export const auditLogKindsSchema = z.object({ tables: z.array(z.string()), actions: z.array(z.string()) });

const recordNumber = z.string().regex(/^\d+$/);

/** What a verification found wrong, with the numbers of the records. */
const auditFaultSchema = z.discriminatedUnion("fault", [
  /** The record differs from its hash. */
  z.object({ fault: z.literal("changed"), id: recordNumber }),
  /** The record does not follow the one before it. */
  z.object({ fault: z.literal("reordered"), id: recordNumber }),
  /** The records are missing. */
  z.object({ fault: z.literal("removed"), from: recordNumber, to: recordNumber }),
  /** One of the records was rewritten together with all after it, up to a checkpoint. */
  z.object({ fault: z.literal("rewritten"), from: recordNumber, to: recordNumber }),
  /** The stored checkpoint of the record is not signed by this console. */
  z.object({ fault: z.literal("checkpoint"), id: recordNumber }),
]);

const verifiedSchema = z.object({ records: z.number().int(), at: z.iso.datetime() });

/** What is known of the hash chain of the audit log. */
export const auditChainSchema = z.object({
  /** The number of records, which is the ID of the last one. */
  records: z.number().int(),
  /** The hash of the last record; null if the log is empty. */
  headHash: z.string().nullable(),
  /** Up to which record, and when, the latest verification without faults went. */
  verified: verifiedSchema.nullable(),
  /** The latest verification of all records, if it found no faults. */
  complete: verifiedSchema.nullable(),
  /** The verification in progress; `records` of `total` are read. */
  running: z.object({ kind: z.enum(["new", "all"]), records: z.number().int(), total: z.number().int() }).nullable(),
  /** The number of the first wrong record; null if there is none. */
  firstWrongRecord: recordNumber.nullable(),
  faults: z.array(auditFaultSchema),
  /** Whether there are more faults than listed. */
  moreFaults: z.boolean(),
});
export type AuditChain = z.output<typeof auditChainSchema>;
