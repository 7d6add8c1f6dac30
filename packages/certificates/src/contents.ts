import { type CertificateFacts, readCertificate } from "./certificate";
import type { Asn1 } from "./encoding/asn1";
import { decryptByPassword, parseDecrypted } from "./encryption/password-based";
import { CertificateFileError } from "./errors";
import { ecAlgorithm, privateKeyAlgorithm, publicKeyAlgorithm } from "./key-algorithm";
import { MAX_CERTIFICATES } from "./limits";
import type { NamedKey } from "./types";
import type { Work } from "./work";

/** What stands in a file, collected while its parts are read. */
export class Contents {
  readonly certificates: CertificateFacts[] = [];
  readonly keyAlgorithms: string[] = [];
  /** The private keys of a PKCS#12 file or a keystore of Java. */
  readonly keys: NamedKey[] = [];
  private unnamedKeys = 0;
  hasPrivateKey = false;
  hasPublicKey = false;
  /** Whether an encrypted part was left, because no password was given. */
  locked = false;

  constructor(
    readonly password: string | undefined,
    readonly work: Work,
    /** Of private keys in PKCS#12 and JKS that the password of the file does not open. */
    readonly keyPassword?: string,
  ) {}

  get isEmpty(): boolean {
    return this.certificates.length === 0 && !this.hasPrivateKey && !this.hasPublicKey && !this.locked;
  }

  addCertificate(certificate: Asn1): void {
    if (this.certificates.length === MAX_CERTIFICATES) {
      throw new CertificateFileError("read_error", "too many certificates");
    }
    this.certificates.push(readCertificate(certificate, this.work));
  }

  /** SubjectPublicKeyInfo (RFC 5280). */
  addPublicKey(publicKeyInfo: Asn1): void {
    this.hasPublicKey = true;
    this.keyAlgorithms.push(publicKeyAlgorithm(publicKeyInfo, this.work));
  }

  /** PrivateKeyInfo (PKCS#8, RFC 5958). */
  addPrivateKey(privateKeyInfo: Asn1): void {
    this.hasPrivateKey = true;
    this.keyAlgorithms.push(privateKeyAlgorithm(privateKeyInfo, this.work));
  }

  /** RSAPrivateKey (PKCS#1, RFC 8017). */
  addRsaKey(key: Asn1): void {
    this.hasPrivateKey = true;
    this.keyAlgorithms.push(`RSA ${key.child(1).integerBits}`);
  }

  /** ECPrivateKey (SEC1, RFC 5915). */
  addEcKey(key: Asn1): void {
    this.hasPrivateKey = true;
    this.keyAlgorithms.push(ecAlgorithm(key.children.find((part) => part.isContext(0))?.child(0)));
  }

  /** The private key of DSA as OpenSSL writes it: version, p, q, g, public and private key. */
  addDsaKey(key: Asn1): void {
    this.hasPrivateKey = true;
    this.keyAlgorithms.push(`DSA ${key.child(1).integerBits}`);
  }

  /**
   * EncryptedPrivateKeyInfo (PKCS#8, RFC 5958).
   * @param passwords to try, in order; none leaves the key locked
   * @param fits whether the password is known to be that of the file, so that the key has another one
   * @returns whether it was opened
   * @throws CertificateFileError wrong_password
   */
  async addEncryptedKey(encrypted: Asn1, passwords: readonly (string | null)[], fits = false): Promise<boolean> {
    this.hasPrivateKey = true;
    for (const password of passwords) {
      const decrypted = await decryptByPassword(encrypted.child(0), encrypted.child(1).octets, password, this.work);
      const key = parseDecrypted(decrypted, this.work);
      if (!key) continue;
      this.addPrivateKey(key);
      return true;
    }
    if (fits) this.locked = true;
    else this.lock();
    return false;
  }

  /** Names the private key that was added last. Java counts those without a name. */
  addKeyName(name: string | undefined, opened: boolean): void {
    if (name === undefined) this.unnamedKeys++;
    this.keys.push({ alias: name ?? String(this.unnamedKeys), opened });
  }

  /**
   * Leaves an encrypted part as it is.
   * @throws CertificateFileError wrong_password if a password was given
   */
  lock(): void {
    if (this.password !== undefined) throw new CertificateFileError("wrong_password");
    this.locked = true;
  }
}
