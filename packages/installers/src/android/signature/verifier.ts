import { MAX_SIGNATURE_VERIFICATIONS } from "../../limits";
import { type PublicKey, type SignatureScheme, verifySignature } from "./public-key";

/** Verifies the signatures of one file. A verification takes up to 100 ms for the largest keys, so their number is limited. */
export class SignatureVerifier {
  #verifications = 0;

  /** As `verifySignature`; false after MAX_SIGNATURE_VERIFICATIONS. */
  verify(key: PublicKey, scheme: SignatureScheme, message: Uint8Array, signature: Uint8Array): boolean {
    if (++this.#verifications > MAX_SIGNATURE_VERIFICATIONS) return false;
    return verifySignature(key, scheme, message, signature);
  }
}
