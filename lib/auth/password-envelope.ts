import "server-only";
import { compactDecrypt, decodeProtectedHeader } from "jose";
import { z } from "zod";
import { hashToken } from "@/lib/crypto/tokens";
import { db } from "@/lib/db";
import { ApiError } from "@/lib/errors";
import { Prisma } from "@/lib/generated/prisma/client";
import { newId } from "@/lib/ids";
import { decryptionKey, nonceExpiry } from "./server-keys";

const plaintextSchema = z.strictObject({ password: z.string(), nonce: z.string().max(200) });

/** A nonce is good once: recording its use a second time fails. */
async function spendNonce(nonce: string, now: Date): Promise<void> {
  const expiresAt = nonceExpiry(nonce);
  if (expiresAt === null || expiresAt <= now) throw new ApiError("invalid_nonce");
  try {
    await db.oneTimeToken.create({
      data: { id: newId(), purpose: "nonce", subject: "", hash: hashToken(nonce), expiresAt, usedAt: now },
    });
  } catch (error) {
    const replayed = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
    throw replayed ? new ApiError("invalid_nonce", { cause: error }) : error;
  }
}

/**
 * Opens a password that was encrypted for the key of get-public-key, and spends its nonce.
 * @throws ApiError invalid_nonce where the envelope does not open or its nonce is unknown, old or used
 */
export async function openPassword(envelope: string, now: Date): Promise<string> {
  let plaintext: z.output<typeof plaintextSchema>;
  try {
    const { kid, alg, enc } = decodeProtectedHeader(envelope);
    const key = alg === "RSA-OAEP-256" && enc === "A256GCM" && kid ? await decryptionKey(kid) : null;
    if (key === null) throw new Error("the envelope is not for a key of ours");
    const opened = await compactDecrypt(envelope, key, {
      keyManagementAlgorithms: ["RSA-OAEP-256"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    plaintext = plaintextSchema.parse(JSON.parse(new TextDecoder().decode(opened.plaintext)));
  } catch (cause) {
    // One answer for every way in which it can be wrong: a client fetches the key and a nonce again and repeats.
    throw new ApiError("invalid_nonce", { cause });
  }
  await spendNonce(plaintext.nonce, now);
  return plaintext.password;
}
