import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { listAuditKinds } from "../data";
import { auditLogKindsSchema } from "../schema";

/** The values of the audit log's filters by table and action. */
export const getAuditLogKinds = defineQuery({
  area: "config",
  name: "get-audit-log-kinds",
  summary: "List the tables and actions that the audit log contains",
  access: "admin",
  input: z.strictObject({}),
  output: auditLogKindsSchema,
  errors: [],
  handler: ({ db }) => listAuditKinds(db),
});
