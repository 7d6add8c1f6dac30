import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { der, derInteger, derOid, derTime, TAG } from "./der";

export interface CertificateOptions {
  /** The common name of subject and issuer. */
  name?: string;
  notBefore?: Date;
  notAfter?: Date;
  /** "ec" (P-256, default) or "rsa" (2,048 bits). */
  keyType?: "ec" | "rsa";
}

/** A key with a self-signed certificate. */
export interface SigningIdentity {
  privateKey: KeyObject;
  /** X.509 certificate, DER. */
  certificate: Buffer;
  /** The name of the issuer, DER. */
  issuer: Buffer;
  /** The serial number, DER. */
  serial: Buffer;
  /** The AlgorithmIdentifier of signatures with SHA-256, DER. */
  signatureAlgorithm: Buffer;
}

const ECDSA_SHA256 = der(TAG.sequence, derOid("1.2.840.10045.4.3.2"));
const RSA_SHA256 = der(TAG.sequence, derOid("1.2.840.113549.1.1.11"), der(TAG.null));

/** Makes a key pair with a self-signed certificate (RFC 5280). */
export function makeSigningIdentity(options: CertificateOptions = {}): SigningIdentity {
  const { name = "Example Developer", notBefore = new Date(Date.UTC(2024, 0, 1)), keyType = "ec" } = options;
  const notAfter = options.notAfter ?? new Date(Date.UTC(2049, 0, 1));
  const { privateKey, publicKey } =
    keyType === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const signatureAlgorithm = keyType === "ec" ? ECDSA_SHA256 : RSA_SHA256;
  const commonName = der(TAG.sequence, derOid("2.5.4.3"), der(TAG.utf8String, Buffer.from(name)));
  const issuer = der(TAG.sequence, der(TAG.set, commonName));
  const serial = derInteger(`4${randomBytes(7).toString("hex")}`);
  const toBeSigned = der(
    TAG.sequence,
    der(TAG.context(0), derInteger("2")),
    serial,
    signatureAlgorithm,
    issuer,
    der(TAG.sequence, derTime(notBefore), derTime(notAfter)),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(TAG.bitString, Buffer.of(0), sign("sha256", toBeSigned, privateKey));
  const certificate = der(TAG.sequence, toBeSigned, signatureAlgorithm, signature);
  return { privateKey, certificate, issuer, serial, signatureAlgorithm };
}
