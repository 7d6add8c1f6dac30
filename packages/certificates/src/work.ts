import { CertificateFileError } from "./errors";
import * as limits from "./limits";

/** Counts what reading one file costs, and ends it at the limits. */
export class Work {
  parsedBytes = 0;
  decryptedBytes = 0;
  iterations = 0;
  slowIterations = 0;
  keyDerivations = 0;

  /** @param maxNodes the values of ASN.1 in one text */
  constructor(readonly maxNodes: number = limits.MAX_NODES) {}

  /** @throws CertificateFileError read_error */
  parse(bytes: number): void {
    this.parsedBytes += bytes;
    if (this.parsedBytes > limits.MAX_PARSED_BYTES) throw new CertificateFileError("read_error", "too much ASN.1");
  }

  /** @throws CertificateFileError read_error */
  decrypt(bytes: number): void {
    this.decryptedBytes += bytes;
    if (this.decryptedBytes > limits.MAX_DECRYPTED_BYTES) {
      throw new CertificateFileError("read_error", "too much encrypted data");
    }
  }

  /**
   * Called before the iterations are run.
   * @param options.slow whether JavaScript runs them, and not Web Crypto
   * @throws CertificateFileError read_error
   */
  deriveKey(iterations: number, { slow = false } = {}): void {
    if (!Number.isSafeInteger(iterations) || iterations < 1) {
      throw new CertificateFileError("read_error", "the iteration count is invalid");
    }
    const slowIterations = this.slowIterations + (slow ? iterations : 0);
    if (
      this.iterations + iterations > limits.MAX_ITERATIONS ||
      slowIterations > limits.MAX_SLOW_ITERATIONS ||
      this.keyDerivations + 1 > limits.MAX_KEY_DERIVATIONS
    ) {
      throw new CertificateFileError("read_error", "too many iterations of key derivation");
    }
    this.iterations += iterations;
    this.slowIterations = slowIterations;
    this.keyDerivations += 1;
  }
}
