import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { withConfigurationChange } from "@/lib/features/configuration/data/changes";
import { environmentTarget } from "@/lib/features/environments/data";
import { newId } from "@/lib/kernel/ids";
import { actorId } from "@/lib/permissions/actor";
import { loadCertificate, toSecureCertificate } from "../data";
import {
  auditedFacts,
  auditedPassword,
  MAX_CERTIFICATE_JSON_BYTES,
  readForStorage,
} from "../internal/certificate-changes";
import { createCertificateInput, secureCertificateSchema } from "../schema";

/** Adds a certificate file to an environment, after reading it. */
export const createSecureCertificate = defineCommand({
  area: "apps",
  name: "create-secure-certificate",
  summary: "Add a certificate file to an environment",
  access: "secure-certificate:write",
  secondFactor: "enrolled",
  input: createCertificateInput,
  output: secureCertificateSchema,
  status: 201,
  errors: ["conflict", "invalid_certificate"],
  audit: { table: "SecureCertificate", action: "create" },
  maxJsonBytes: MAX_CERTIFICATE_JSON_BYTES,
  target: (input, db) => environmentTarget(db, input.environmentId),
  async prepare({ input, actor, request }) {
    const { fileName, value, password = null, sha256, expirationDate } = input;
    return readForStorage(
      { fileName, value: Buffer.from(value, "base64"), password },
      { sha256, expirationDate },
      { id: actorId(actor), signal: request.signal },
    );
  },
  async handler({ input, actor, request, tx, prepared }) {
    const { environmentId, name, key, status } = input;
    const { value, password, details } = prepared;
    const id = newId();
    const after = { name, key, status, secret: { value, password }, details };
    await withConfigurationChange(tx, { environmentId, actor, now: request.now }, async () => [
      { kind: "secure-certificate", id, before: null, after },
    ]);
    const row = await loadCertificate(tx, id);
    const changes = { ...changesBetween(null, auditedFacts(row)), ...auditedPassword(null, password) };
    return { output: toSecureCertificate(row), audit: { recordId: id, changes } };
  },
});
