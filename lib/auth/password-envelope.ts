import "server-only";
import { compactDecrypt, decodeProtectedHeader } from "jose";
import { z } from "zod";
import { ApiError } from "@/lib/kernel/errors";
import { redeemNonce } from "./nonces";
import { decryptionKey } from "./server-keys";

const plaintextSchema = z.strictObject({ password: z.string(), nonce: z.string().max(200) });

/**
 * Opens a password that was encrypted for the key of get-public-key, and redeems its nonce.
 * @throws ApiError invalid_nonce if the envelope cannot be decrypted, or its nonce is unknown, expired or used
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
    // One error for all causes: the client fetches the key and a nonce again and repeats the call.
    throw new ApiError("invalid_nonce", { cause });
  }
  if (!(await redeemNonce("password", plaintext.nonce, now))) throw new ApiError("invalid_nonce");
  return plaintext.password;
}
