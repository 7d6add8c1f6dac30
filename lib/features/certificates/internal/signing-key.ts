import "server-only";
import { KEYSTORE_FORMATS } from "@slipway/certificates";
import type { z } from "zod";
import type { Db } from "@/lib/db/client";
import { seal } from "@/lib/kernel/crypto/sealed";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import type { ThreadCaller } from "@/lib/kernel/thread-queue";
import { loadCertificateWithSecret } from "../data";
import type { SigningKey, updateSigningKeyInput } from "../schema";
import { isWrongPassword, readCertificate } from "./reading";

/** A key in a certificate file, which its passwords open. */
interface ChosenKey {
  certificateId: string;
  /** The SHA-256 of the file in which it was found. */
  sha256: string;
  alias: string;
  /** Null if the password of the file opens it. */
  keyPassword: string | null;
}

/** The key that signs the APKs of an environment's bundles, without secrets. */
export async function readSigningKey(db: Db, environmentId: string): Promise<SigningKey> {
  const row = await db.environmentSigningKey.findUnique({
    where: { environmentId },
    select: {
      alias: true,
      keyPassword: true,
      updatedAt: true,
      certificate: { select: { id: true, name: true, fileName: true, status: true } },
    },
  });
  if (!row) return { environmentId, certificate: null, alias: null, hasKeyPassword: false, updatedAt: null };
  const { certificate, alias, keyPassword, updatedAt } = row;
  const hasKeyPassword = keyPassword !== null;
  return { environmentId, certificate, alias, hasKeyPassword, updatedAt: updatedAt.toISOString() };
}

/**
 * Finds a key in a certificate file and opens it, so that a wrong alias or password is refused before a bundle needs the key.
 * @throws ApiError validation_failed, naming the field that is wrong; unavailable; the signal's reason
 */
export async function chooseKey(
  db: Db,
  { environmentId, certificateId, alias, keyPassword }: z.output<typeof updateSigningKeyInput>,
  caller: ThreadCaller,
): Promise<ChosenKey | null> {
  if (certificateId === null) return null;
  const file = await loadCertificateWithSecret(db, certificateId).catch((error) => {
    throw error instanceof ApiError && error.code === "not_found" ? invalidField("certificateId", "unknown") : error;
  });
  if (file.environmentId !== environmentId) throw invalidField("certificateId", "unknown");
  if (!KEYSTORE_FORMATS.includes(file.format)) throw invalidField("certificateId", "signingKeyFile");
  const { value, fileName, password, sha256 } = file;
  // A file without a stored password is signed with the empty one: that of the key alone does not open it.
  const reading = readCertificate({ bytes: value, fileName, password: password ?? "", keyPassword }, caller);
  const { keys } = await reading.catch((error) => {
    throw password === null && isWrongPassword(error) ? invalidField("certificateId", "signingKeyLocked") : error;
  });
  if (keys.length === 0) throw invalidField("certificateId", "signingKeyFile");
  const aliases = keys.map((one) => one.alias).join(", ");
  if (alias === undefined && keys.length > 1) throw invalidField("alias", "signingKeyAlias", { aliases });
  // Java compares aliases like this.
  const key = alias === undefined ? keys[0] : keys.find((one) => one.alias.toLowerCase() === alias.toLowerCase());
  if (!key) throw invalidField("alias", "signingKeyAlias", { aliases });
  if (!key.opened) throw invalidField("keyPassword", "signingKeyPassword");
  return { certificateId, sha256, alias: key.alias, keyPassword: keyPassword ?? null };
}

/** Replaces the key that signs the APKs of an environment's bundles; null for the console's own. */
export async function replaceSigningKey(tx: Db, environmentId: string, key: ChosenKey | null, now: Date) {
  if (key === null) {
    await tx.environmentSigningKey.deleteMany({ where: { environmentId } });
    return;
  }
  const { certificateId, sha256, alias, keyPassword } = key;
  // The file was read before this transaction.
  const isSame = (await tx.secureCertificate.count({ where: { id: certificateId, environmentId, sha256 } })) === 1;
  if (!isSame) throw invalidField("certificateId", "changedMeanwhile");
  const place = { table: "EnvironmentSigningKey", id: environmentId, column: "keyPassword" };
  const data = {
    certificateId,
    alias,
    keyPassword: keyPassword === null ? null : seal(keyPassword, place),
    updatedAt: now,
  };
  await tx.environmentSigningKey.upsert({ where: { environmentId }, create: { environmentId, ...data }, update: data });
}
