import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import * as x509 from "@peculiar/asn1-x509";
import { Integer, Sequence } from "asn1js";

/** What certificates are signed with, by the algorithm of the signer's key. */
const ALGORITHMS = {
  /** With P-256 and SHA-256, which every current system accepts in TLS. */
  ECDSA: {
    key: { name: "ECDSA", namedCurve: "P-256" },
    signature: { name: "ECDSA", hash: "SHA-256" },
    identifier: new x509.AlgorithmIdentifier({ algorithm: "1.2.840.10045.4.3.2" }),
    encode: derSignature,
  },
  /** With 2,048 bits and SHA-256, which every version of iOS accepts in profiles. */
  RSA: {
    key: {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    signature: { name: "RSASSA-PKCS1-v1_5" },
    identifier: new x509.AlgorithmIdentifier({ algorithm: "1.2.840.113549.1.1.11", parameters: null }),
    encode: (signature: ArrayBuffer) => signature,
  },
} as const;
/** RFC 5280, section 4.1.2.2: positive, at most 20 octets. */
const SERIAL_BYTES = 16;

/** A certificate and its private key. */
export interface Identity {
  /** DER. */
  certificate: Uint8Array<ArrayBuffer>;
  /** PKCS#8, DER. */
  privateKey: Uint8Array<ArrayBuffer>;
}

export interface CertificateTemplate {
  commonName: string;
  notBefore: Date;
  notAfter: Date;
  /** All extensions but the identifiers of the keys. */
  extensions: readonly x509.Extension[];
  /** Signs the certificate; without it, the certificate signs itself. */
  issuer?: Identity;
  /** The algorithm of the key, which is also that of the issuer; ECDSA by default. */
  algorithm?: keyof typeof ALGORITHMS;
}

/** An extension of RFC 5280, section 4.2. */
export function extension(extnID: string, value: unknown, { critical = false } = {}): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function nameOf(commonName: string): x509.Name {
  const attribute = (type: string, utf8String: string) =>
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String }) }),
    ]);
  return new x509.Name([attribute("2.5.4.10", "Slipway"), attribute("2.5.4.3", commonName)]);
}

/** The identifier of a key: the SHA-1 of its bits (RFC 5280, section 4.2.1.2, method 1). */
async function keyIdentifier({ subjectPublicKey }: x509.SubjectPublicKeyInfo): Promise<OctetString> {
  return new OctetString(await crypto.subtle.digest("SHA-1", subjectPublicKey));
}

/** Converts WebCrypto's signature, r and s, to the form of certificates (RFC 3279, section 2.2.3). */
function derSignature(signature: ArrayBuffer): ArrayBuffer {
  const half = signature.byteLength / 2;
  const integer = (bytes: ArrayBuffer) => Integer.fromBigInt(`0x${bytesToHex(new Uint8Array(bytes))}`);
  return new Sequence({ value: [integer(signature.slice(0, half)), integer(signature.slice(half))] }).toBER();
}

/** Reads a certificate. @param der DER */
export function parseCertificate(der: Uint8Array<ArrayBuffer>): x509.Certificate {
  return AsnConvert.parse(der, x509.Certificate);
}

/** Makes a key and a certificate for it (RFC 5280). Does not check what the issuer may sign. */
export async function issueCertificate(template: CertificateTemplate): Promise<Identity> {
  const { commonName, notBefore, notAfter, extensions, issuer } = template;
  const { key, signature: scheme, identifier, encode } = ALGORITHMS[template.algorithm ?? "ECDSA"];
  const keys = (await crypto.subtle.generateKey(key, true, ["sign", "verify"])) as CryptoKeyPair;
  const publicKey = AsnConvert.parse(await crypto.subtle.exportKey("spki", keys.publicKey), x509.SubjectPublicKeyInfo);
  const signer = issuer && parseCertificate(issuer.certificate).tbsCertificate;
  const signingKey = issuer
    ? await crypto.subtle.importKey("pkcs8", issuer.privateKey, key, false, ["sign"])
    : keys.privateKey;
  const serialNumber = crypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  // Positive, and without leading zeros.
  serialNumber[0] = ((serialNumber[0] ?? 0) & 0x3f) | 0x40;
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber.buffer,
    signature: identifier,
    issuer: signer?.subject ?? nameOf(commonName),
    validity: new x509.Validity({ notBefore, notAfter }),
    subject: nameOf(commonName),
    subjectPublicKeyInfo: publicKey,
    extensions: new x509.Extensions([
      ...extensions,
      extension(x509.id_ce_subjectKeyIdentifier, await keyIdentifier(publicKey)),
      extension(
        x509.id_ce_authorityKeyIdentifier,
        new x509.AuthorityKeyIdentifier({
          keyIdentifier: new x509.KeyIdentifier(
            (await keyIdentifier(signer?.subjectPublicKeyInfo ?? publicKey)).buffer,
          ),
        }),
      ),
    ]),
  });
  const signature = await crypto.subtle.sign(scheme, signingKey, AsnConvert.serialize(tbsCertificate));
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: identifier,
    signatureValue: encode(signature),
  });
  return {
    certificate: new Uint8Array(AsnConvert.serialize(certificate)),
    privateKey: new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey)),
  };
}
