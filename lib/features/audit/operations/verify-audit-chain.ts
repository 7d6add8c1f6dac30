import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { beginRun, lastRecord } from "@/lib/audit/verification-state";
import { allRecordsJob } from "@/lib/jobs/audit-verification";
import { enqueue } from "@/lib/jobs/queue";
import { findAuditChain } from "../data";
import { auditChainSchema } from "../schema";

/** Has all records of the audit log verified in the background. `get-audit-chain` tells the progress. */
export const verifyAuditChain = defineCommand({
  area: "config",
  name: "verify-audit-chain",
  summary: "Verify all records of the audit log",
  access: "admin",
  input: z.strictObject({}),
  output: auditChainSchema,
  status: 202,
  errors: [],
  rateLimit: { points: 20, seconds: 60, by: "actor" },
  audit: { table: "AuditRecord", action: "verify" },
  async handler({ tx, request }) {
    const { running } = await findAuditChain(tx, request.now);
    if (running?.kind !== "all") {
      const last = await lastRecord(tx);
      await beginRun(tx, "all", { total: Number(last?.id ?? 0), now: request.now });
      await enqueue(tx, allRecordsJob, {});
    }
    return { output: await findAuditChain(tx, request.now), audit: { recordId: null, changes: {} } };
  },
});
