import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { findAuditChain } from "../data";
import { auditChainSchema } from "../schema";

/** Up to which record the audit log is verified, and what was found. */
export const getAuditChain = defineQuery({
  area: "config",
  name: "get-audit-chain",
  summary: "Get the state of the hash chain of the audit log",
  access: "admin",
  input: z.strictObject({}),
  output: auditChainSchema,
  errors: [],
  handler: ({ db, request }) => findAuditChain(db, request.now),
});
