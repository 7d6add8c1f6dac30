import "server-only";
import type { z } from "zod";
import { isAppStoreKey } from "@/lib/apple-connect/client";
import type { Db } from "@/lib/db/client";
import { loadCertificateWithSecret } from "@/lib/features/certificates/data";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import type { AppStoreKey, updateAppStoreKeyInput } from "../schema";

/** The longest file that can be a key, in bytes. Apple's have about 260. */
const MAX_KEY_BYTES = 8_192;

/** A file of an environment that is a key of App Store Connect's API. */
interface ChosenAppStoreKey {
  certificateId: string;
  /** The SHA-256 of the file. */
  sha256: string;
  keyId: string;
  issuerId: string;
}

/** The key of an environment, without its secret. */
export async function readAppStoreKey(db: Db, environmentId: string): Promise<AppStoreKey> {
  const row = await db.appStoreKey.findUnique({
    where: { environmentId },
    select: {
      keyId: true,
      issuerId: true,
      updatedAt: true,
      certificate: { select: { id: true, name: true, fileName: true, status: true } },
    },
  });
  if (!row) return { environmentId, certificate: null, keyId: null, issuerId: null, updatedAt: null };
  return { environmentId, ...row, updatedAt: row.updatedAt.toISOString() };
}

/**
 * Checks that a file is a private key that Apple's API takes.
 * @throws ApiError validation_failed, naming the field that is wrong
 */
export async function chooseAppStoreKey(
  db: Db,
  { environmentId, certificateId, keyId, issuerId }: z.output<typeof updateAppStoreKeyInput>,
): Promise<ChosenAppStoreKey | null> {
  if (certificateId === null) return null;
  if (keyId === undefined) throw invalidField("keyId", "required");
  if (issuerId === undefined) throw invalidField("issuerId", "required");
  const file = await loadCertificateWithSecret(db, certificateId).catch((error) => {
    throw error instanceof ApiError && error.code === "not_found" ? invalidField("certificateId", "unknown") : error;
  });
  if (file.environmentId !== environmentId) throw invalidField("certificateId", "unknown");
  if (file.value.length > MAX_KEY_BYTES || !isAppStoreKey(file.value.toString())) {
    throw invalidField("certificateId", "appStoreKeyFile");
  }
  return { certificateId, sha256: file.sha256, keyId, issuerId };
}

/** Replaces the key of an environment; null for none. Its registrations go with it. */
export async function replaceAppStoreKey(tx: Db, environmentId: string, key: ChosenAppStoreKey | null, now: Date) {
  if (key === null) {
    await tx.appStoreKey.deleteMany({ where: { environmentId } });
    return;
  }
  const { sha256, ...chosen } = key;
  // The file was read before this transaction.
  const where = { id: chosen.certificateId, environmentId, sha256 };
  if ((await tx.secureCertificate.count({ where })) !== 1) throw invalidField("certificateId", "changedMeanwhile");
  const data = { ...chosen, updatedAt: now };
  await tx.appStoreKey.upsert({ where: { environmentId }, create: { environmentId, ...data }, update: data });
}
