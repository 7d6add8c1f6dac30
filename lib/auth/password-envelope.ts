import "server-only";
import { compactDecrypt, decodeProtectedHeader } from "jose";
import { z } from "zod";
import { ApiError } from "@/lib/kernel/errors";
import { redeemNonce } from "./nonces";
import { decryptionKey } from "./server-keys";

const plaintextSchema = z.strictObject({ password: z.string(), nonce: z.string().max(200) });

/** A password that was encrypted for the key of get-public-key. */
interface OpenedPassword {
  password: string;
  /**
   * Redeems the nonce, without which the password must not be used.
   * @throws ApiError invalid_nonce if the nonce is unknown, expired or used
   */
  redeem(): Promise<void>;
}

/**
 * Opens a password that was encrypted for the key of get-public-key. Its nonce is still to be redeemed.
 * @throws ApiError invalid_nonce if the envelope cannot be decrypted
 */
export async function openEnvelope(envelope: string, now: Date): Promise<OpenedPassword> {
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
    // One error for all causes: the client fetches the key and a nonce again and repeats the call.
    throw new ApiError("invalid_nonce", { cause });
  }
  const { password, nonce } = plaintext;
  return {
    password,
    async redeem() {
      if (!(await redeemNonce("password", nonce, now))) throw new ApiError("invalid_nonce");
    },
  };
}

/**
 * Opens a password that was encrypted for the key of get-public-key, and redeems its nonce.
 * @throws ApiError invalid_nonce if the envelope cannot be decrypted, or its nonce is unknown, expired or used
 */
export async function openPassword(envelope: string, now: Date): Promise<string> {
  const { password, redeem } = await openEnvelope(envelope, now);
  await redeem();
  return password;
}
