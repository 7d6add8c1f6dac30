import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { withConfigurationChange } from "@/lib/features/configuration/data/changes";
import { certificateTarget, loadCertificate } from "../data";
import { auditedFacts } from "../internal/certificate-changes";
import { certificateInput } from "../schema";

/** Deletes a certificate; earlier configuration versions keep it. */
export const deleteSecureCertificate = defineCommand({
  area: "apps",
  name: "delete-secure-certificate",
  summary: "Delete a certificate; earlier configuration versions keep it",
  access: "secure-certificate:write",
  secondFactor: "enrolled",
  input: certificateInput,
  output: z.undefined(),
  status: 204,
  errors: ["conflict"],
  audit: { table: "SecureCertificate", action: "delete" },
  target: (input, db) => certificateTarget(db, input.id),
  async handler({ input, actor, target: { environmentId }, request, tx }) {
    const { version, changes } = await withConfigurationChange(
      tx,
      { environmentId, actor, now: request.now },
      async () => {
        const row = await loadCertificate(tx, input.id);
        return [{ kind: "secure-certificate", id: row.id, before: row, after: null, row }];
      },
    );
    const audited = changes.map(({ row }) => changesBetween<object>(auditedFacts(row), { version }));
    return { output: undefined, audit: { recordId: input.id, changes: audited[0] ?? {} } };
  },
});
