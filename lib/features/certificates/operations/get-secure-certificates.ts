import "server-only";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { listCertificates, toSecureCertificate } from "../data";
import { certificatesInput, secureCertificateSchema } from "../schema";

/** Lists the certificates of an environment without their files and passwords. */
export const getSecureCertificates = defineQuery({
  area: "apps",
  name: "get-secure-certificates",
  summary: "List the certificates of an environment, without their files",
  access: "secure-certificate:read",
  secondFactor: "enrolled",
  input: certificatesInput,
  output: listOutput(secureCertificateSchema),
  errors: [],
  target: (input, db) => environmentTarget(db, input.environmentId),
  async handler({ input, db }) {
    const { rows, ...page } = await listCertificates(db, input);
    return { items: rows.map(toSecureCertificate), ...page };
  },
});
