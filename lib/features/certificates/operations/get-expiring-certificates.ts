import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listExpiringCertificates } from "../data";
import { expiringCertificatesInput, expiringCertificatesSchema } from "../schema";

/** Lists the certificates that have expired or expire soon, for the dashboard. */
export const getExpiringCertificates = defineQuery({
  area: "apps",
  name: "get-expiring-certificates",
  summary: "List the certificates that have expired or expire within 30 days",
  access: "admin",
  input: expiringCertificatesInput,
  output: expiringCertificatesSchema,
  errors: [],
  handler: ({ db, request }) => listExpiringCertificates(db, request.now),
});
