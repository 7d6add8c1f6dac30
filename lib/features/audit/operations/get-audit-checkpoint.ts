import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { checkpointSchema } from "@/lib/audit/checkpoint";
import { lastRecord } from "@/lib/audit/verification-state";
import { makeCheckpoint } from "@/lib/auth/audit-checkpoints";

/** How many records the audit log has now, and the hash of the last one, signed with the console's Ed25519 key. */
export const getAuditCheckpoint = defineQuery({
  area: "config",
  name: "get-audit-checkpoint",
  summary: "Get a signed checkpoint of the audit log, which later shows whether the log was truncated or rewritten",
  access: "admin",
  input: z.strictObject({}),
  output: checkpointSchema,
  errors: [],
  handler: async ({ db, request }) => makeCheckpoint(await lastRecord(db), request.now),
});
