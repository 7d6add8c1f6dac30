import "server-only";
import type { z } from "zod";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { type Changes, changesBetween } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { withConfigurationChange } from "@/lib/features/configuration/data/changes";
import { accessToKind, type EntryChange } from "@/lib/features/configuration/data/entries";
import { conflict } from "@/lib/kernel/errors";
import { actorId } from "@/lib/permissions/actor";
import {
  type CertificateRow,
  certificateTarget,
  loadCertificate,
  loadCertificateWithSecret,
  toSecureCertificate,
} from "../data";
import {
  auditedFacts,
  auditedPassword,
  MAX_CERTIFICATE_JSON_BYTES,
  type ReadCertificate,
  readForStorage,
} from "../internal/certificate-changes";
import { secureCertificateSchema, updateCertificateInput } from "../schema";

type Input = z.output<typeof updateCertificateInput>;

/** The certificate as a call found it, with the file that it is to have. */
interface PreparedUpdate {
  version: number;
  read: ReadCertificate;
  passwordBefore: string | null;
}

/** Whether a call is about more than name, key and status. */
function concernsFile({ fileName, value, password, expirationDate, sha256 }: Input): boolean {
  return [fileName, value, password, expirationDate, sha256].some((field) => field !== undefined);
}

/** The rest of a certificate's row that the file or the caller tells. */
const detailsOf = (row: CertificateRow) => {
  const { fileName, format, sha256, subject, issuer, serialNumber, keyAlgorithm, hasPrivateKey, chainLength } = row;
  const expirationDate = row.expirationDate?.toISOString() ?? null;
  return {
    fileName,
    format,
    sha256,
    expirationDate,
    subject,
    issuer,
    serialNumber,
    keyAlgorithm,
    hasPrivateKey,
    chainLength,
  };
};

/** The change to a certificate's row; none where the row is already like that. */
async function planUpdate(
  tx: Db,
  input: Input,
  prepared: PreparedUpdate | null,
): Promise<(EntryChange & { row: CertificateRow })[]> {
  const row = await loadCertificate(tx, input.id);
  requireUnchanged(row, input.ifUpdatedAt);
  // The file was read before the environment was locked.
  if (prepared && prepared.version !== row.version) throw conflict("id", "changedMeanwhile");
  const { name = row.name, key = row.key, status = row.status } = input;
  const details = prepared?.read.details ?? detailsOf(row);
  const { value, password } = prepared?.read ?? {};
  const isSecretNew =
    prepared !== null && (details.sha256 !== row.sha256 || prepared.passwordBefore !== prepared.read.password);
  const isSame =
    !isSecretNew &&
    name === row.name &&
    key === row.key &&
    status === row.status &&
    JSON.stringify(details) === JSON.stringify(detailsOf(row));
  if (isSame) return [];
  const secret = isSecretNew && value ? { value, password } : ("unchanged" as const);
  return [{ kind: "secure-certificate", id: row.id, before: row, after: { name, key, status, secret, details }, row }];
}

/** Changes a certificate. A new file is read as at its creation; a new password or date is held against the file. */
export const updateSecureCertificate = defineCommand({
  area: "apps",
  name: "update-secure-certificate",
  summary: "Change a certificate; what is left out stays as it is",
  access: "secure-certificate:write",
  secondFactor: "enrolled",
  input: updateCertificateInput,
  output: secureCertificateSchema,
  status: 200,
  errors: ["conflict", "invalid_certificate"],
  audit: { table: "SecureCertificate", action: "update" },
  maxJsonBytes: MAX_CERTIFICATE_JSON_BYTES,
  async target(input, db) {
    const target = await certificateTarget(db, input.id);
    // A password is tried on the stored file, so the answer tells whether it is right.
    const triesPassword = input.password !== undefined && input.value === undefined;
    return target && { ...target, requires: triesPassword ? [accessToKind("secure-certificate", "reveal")] : [] };
  },
  async prepare({ input, actor, db, request }): Promise<PreparedUpdate | null> {
    if (!concernsFile(input)) return null;
    const row = await loadCertificateWithSecret(db, input.id);
    const isNewFile = input.value !== undefined;
    const { fileName = row.fileName, password = isNewFile ? null : row.password } = input;
    const value = input.value === undefined ? row.value : Buffer.from(input.value, "base64");
    const { sha256, expirationDate } = input;
    const read = await readForStorage(
      { fileName, value, password },
      { sha256, expirationDate },
      { id: actorId(actor), signal: request.signal },
    );
    // A date that was given for a file without one stays until another date or file is given.
    if (expirationDate === undefined && !isNewFile)
      read.details.expirationDate ??= row.expirationDate?.toISOString() ?? null;
    return { version: row.version, read, passwordBefore: row.password };
  },
  async handler({ input, actor, target: { environmentId }, request, tx, prepared }) {
    const { changes } = await withConfigurationChange(tx, { environmentId, actor, now: request.now }, () =>
      planUpdate(tx, input, prepared),
    );
    const row = await loadCertificate(tx, input.id);
    const audited: Changes = {};
    for (const change of changes) {
      Object.assign(audited, changesBetween(auditedFacts(change.row), auditedFacts(row)));
      if (prepared) Object.assign(audited, auditedPassword(prepared.passwordBefore, prepared.read.password));
    }
    return { output: toSecureCertificate(row), audit: { recordId: input.id, changes: audited } };
  },
});
