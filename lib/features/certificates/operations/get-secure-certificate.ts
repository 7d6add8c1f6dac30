import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { certificateTarget, loadCertificateWithSecret, toSecureCertificate } from "../data";
import { certificateInput, revealedCertificateSchema } from "../schema";

/** Reveals the file and the password of a certificate. */
export const getSecureCertificate = defineQuery({
  area: "apps",
  name: "get-secure-certificate",
  summary: "Reveal the file and the password of a certificate",
  access: "secure-certificate:read",
  secondFactor: "recent",
  input: certificateInput,
  output: revealedCertificateSchema,
  errors: [],
  audit: { table: "SecureCertificate", action: "reveal" },
  target: (input, db) => certificateTarget(db, input.id),
  async handler({ input, db }) {
    const { value, password, ...row } = await loadCertificateWithSecret(db, input.id);
    return {
      output: { ...toSecureCertificate(row), value: value.toString("base64"), password },
      audit: { recordId: row.id, changes: {} },
    };
  },
});
