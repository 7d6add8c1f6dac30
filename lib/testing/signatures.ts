import { flattenedVerify, importJWK } from "jose";
import { publicKeys } from "@/lib/auth/server-keys";

/** What the signature of an answer says besides the body. */
export interface SignedHeader {
  url: string;
  iat: number;
  nonce?: string;
  etag?: string;
}

/**
 * Verifies the signature of an answer, as an app does.
 * @returns its protected header
 * @throws Error where it is not genuine
 */
export async function verifiedSignature(answer: Response): Promise<SignedHeader> {
  const [header = "", , signature = ""] = (answer.headers.get("x-signature") ?? "").split(".");
  const payload = new Uint8Array(await answer.arrayBuffer());
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
  const key = (await publicKeys()).find((one) => one.use === "sig" && one.kid === kid);
  if (!key) throw new Error(`no published key ${kid}`);
  const jws = { protected: header, payload, signature };
  const { protectedHeader } = await flattenedVerify(jws, await importJWK(key, "EdDSA"), { algorithms: ["EdDSA"] });
  return protectedHeader as unknown as SignedHeader;
}
