import { type Asn1, parseAsn1 } from "./encoding/asn1";
import type { Work } from "./work";

const RSA = ["1.2.840.113549.1.1.1", "1.2.840.113549.1.1.7", "1.2.840.113549.1.1.10"];
const DSA = "1.2.840.10040.4.1";
const EC = "1.2.840.10045.2.1";

const CURVES: Readonly<Record<string, string>> = {
  "1.2.840.10045.3.1.1": "P-192",
  "1.3.132.0.33": "P-224",
  "1.2.840.10045.3.1.7": "P-256",
  "1.3.132.0.34": "P-384",
  "1.3.132.0.35": "P-521",
  "1.3.132.0.10": "secp256k1",
  "1.3.36.3.3.2.8.1.1.7": "brainpoolP256r1",
  "1.3.36.3.3.2.8.1.1.11": "brainpoolP384r1",
  "1.3.36.3.3.2.8.1.1.13": "brainpoolP512r1",
};

const NAMES: Readonly<Record<string, string>> = {
  "1.3.101.110": "X25519",
  "1.3.101.111": "X448",
  "1.3.101.112": "Ed25519",
  "1.3.101.113": "Ed448",
  "2.16.840.1.101.3.4.3.17": "ML-DSA-44",
  "2.16.840.1.101.3.4.3.18": "ML-DSA-65",
  "2.16.840.1.101.3.4.3.19": "ML-DSA-87",
};

/** `EC P-256`; `EC` for curves that are given by their parameters. */
export function ecAlgorithm(curve: Asn1 | undefined): string {
  if (!curve?.isObjectIdentifier) return "EC";
  return `EC ${CURVES[curve.objectIdentifier] ?? curve.objectIdentifier}`;
}

/**
 * The algorithm of a key, with its size or curve.
 * @param algorithm an AlgorithmIdentifier (RFC 5280)
 * @param rsaModulus returns the modulus
 */
export function keyAlgorithm(algorithm: Asn1, rsaModulus: () => Asn1): string {
  const type = algorithm.child(0).objectIdentifier;
  const parameters = algorithm.children[1];
  if (RSA.includes(type)) return `RSA ${rsaModulus().integerBits}`;
  if (type === EC) return ecAlgorithm(parameters);
  if (type === DSA) return parameters?.isSequence ? `DSA ${parameters.child(0).integerBits}` : "DSA";
  return NAMES[type] ?? type;
}

/** Of a SubjectPublicKeyInfo (RFC 5280). */
export function publicKeyAlgorithm(publicKeyInfo: Asn1, work: Work): string {
  return keyAlgorithm(publicKeyInfo.child(0), () => parseAsn1(publicKeyInfo.child(1).bits, work).child(0));
}

/** Of a PrivateKeyInfo (PKCS#8, RFC 5958). */
export function privateKeyAlgorithm(privateKeyInfo: Asn1, work: Work): string {
  return keyAlgorithm(privateKeyInfo.child(1), () => parseAsn1(privateKeyInfo.child(2).octets, work).child(1));
}
