import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { bytesEqual } from "../../encoding/bytes";
import { bitsOf, DER_TAG, type DerValue, objectIdentifierOf, parseDer, sequenceOf } from "../../encoding/der";

/**
 * Signature verification for what signs Android apps: RSA (PKCS #1 v1.5 and PSS, RFC 8017), DSA (FIPS 186-4) and ECDSA
 * (SEC 1) on the NIST curves. Not by the Web Crypto API, which is missing on pages without TLS and lacks DSA, SHA-224 and
 * MD5. All values are public, so that constant time is not needed.
 */

export const HASHES = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
} as const;
export type HashName = keyof typeof HASHES;

export interface SignatureScheme {
  padding: "pkcs1" | "pss" | "dsa" | "ecdsa";
  hash: HashName;
}

export type PublicKey =
  | { kind: "rsa"; modulus: bigint; exponent: bigint }
  | { kind: "dsa"; p: bigint; q: bigint; g: bigint; y: bigint }
  | { kind: "ec"; curve: Curve; x: bigint; y: bigint };

interface Curve {
  /** The field's prime. */
  p: bigint;
  /** The order of the base point. */
  n: bigint;
  b: bigint;
  gx: bigint;
  gy: bigint;
}

const OID_RSA = "1.2.840.113549.1.1.1";
const OID_RSA_PSS = "1.2.840.113549.1.1.10";
const OID_DSA = "1.2.840.10040.4.1";
const OID_EC = "1.2.840.10045.2.1";

/** The limits on keys, which bound the cost of a verification. No key in use comes near them. */
const MAX_RSA_BITS = 16_384;
const MAX_EXPONENT_BITS = 64;
const MAX_DSA_BITS = 8192;
const MAX_DSA_ORDER_BITS = 512;

/** FIPS 186-4, D.1.2. The coefficient a is -3 on all of them. */
const CURVES: Record<string, Curve> = {
  "1.2.840.10045.3.1.7": {
    p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
    n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    gx: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    gy: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  },
  "1.3.132.0.34": {
    p: 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffffn,
    n: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    gx: 0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
    gy: 0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
  },
  "1.3.132.0.35": {
    p: (1n << 521n) - 1n,
    n: 0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    gx: 0x00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66n,
    gy: 0x011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650n,
  },
};

/** Parses a SubjectPublicKeyInfo (RFC 5280) in DER; null when it is malformed, unsupported, or not a valid key. */
export function parsePublicKey(der: Uint8Array): PublicKey | null {
  const [algorithm, key] = sequenceOf(parseDer(der));
  const [oid, parameters] = sequenceOf(algorithm);
  const bits = bitsOf(key);
  if (!bits) return null;
  switch (objectIdentifierOf(oid)) {
    case OID_RSA:
    case OID_RSA_PSS: {
      // Some tools omit the leading zero of the modulus, which makes it negative.
      const [modulus, exponent] = sequenceOf(parseDer(bits)).map(unsignedInteger);
      if (!modulus || !exponent || bitLength(modulus) > MAX_RSA_BITS || bitLength(exponent) > MAX_EXPONENT_BITS) {
        return null;
      }
      return { kind: "rsa", modulus, exponent };
    }
    case OID_DSA: {
      const [p, q, g] = sequenceOf(parameters).map(positiveInteger);
      const y = positiveInteger(parseDer(bits));
      if (!p || !q || !g || !y || bitLength(p) > MAX_DSA_BITS || bitLength(q) > MAX_DSA_ORDER_BITS) return null;
      return { kind: "dsa", p, q, g, y };
    }
    case OID_EC: {
      const name = objectIdentifierOf(parameters);
      const curve = Object.hasOwn(CURVES, name) ? CURVES[name] : undefined;
      return curve ? decodePoint(bits, curve) : null;
    }
    default:
      return null;
  }
}

/** Decodes an uncompressed point (SEC 1, 2.3.3); null when it is not on the curve. */
function decodePoint(bits: Uint8Array, curve: Curve): PublicKey | null {
  const size = Math.ceil(bitLength(curve.p) / 8);
  if (bits.length !== 1 + 2 * size || bits[0] !== 4) return null;
  const x = toBigInt(bits.subarray(1, 1 + size));
  const y = toBigInt(bits.subarray(1 + size));
  if (x >= curve.p || y >= curve.p) return null;
  return mod(y * y - (x * x * x - 3n * x + curve.b), curve.p) === 0n ? { kind: "ec", curve, x, y } : null;
}

/** Whether two keys are equal, independent of their encodings. */
export function samePublicKey(a: PublicKey, b: PublicKey | null): boolean {
  if (a.kind === "rsa") return b?.kind === "rsa" && a.modulus === b.modulus && a.exponent === b.exponent;
  if (a.kind === "ec") return b?.kind === "ec" && a.curve === b.curve && a.x === b.x && a.y === b.y;
  return b?.kind === "dsa" && a.p === b.p && a.q === b.q && a.g === b.g && a.y === b.y;
}

/** Whether `signature` is a valid signature of the key over `message`; false for malformed input. */
export function verifySignature(
  key: PublicKey,
  scheme: SignatureScheme,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const digest = HASHES[scheme.hash](message);
  if (key.kind === "rsa") {
    if (scheme.padding === "pkcs1") return verifyRsaPkcs1(key, scheme.hash, digest, signature);
    return scheme.padding === "pss" && verifyRsaPss(key, scheme.hash, digest, signature);
  }
  const [r, s] = sequenceOf(parseDer(signature)).map(positiveInteger);
  if (!r || !s) return false;
  if (key.kind === "dsa") return scheme.padding === "dsa" && verifyDsa(key, digest, r, s);
  return scheme.padding === "ecdsa" && verifyEcdsa(key, digest, r, s);
}

/** The DER of DigestInfo before the digest (RFC 8017, 9.2, note 1). */
const DIGEST_INFO_PREFIXES: Record<HashName, string> = {
  md5: "3020300c06082a864886f70d020505000410",
  sha1: "3021300906052b0e03021a05000414",
  sha224: "302d300d06096086480165030402040500041c",
  sha256: "3031300d060960864801650304020105000420",
  sha384: "3041300d060960864801650304020205000430",
  sha512: "3051300d060960864801650304020305000440",
};

/** RSAVP1 (RFC 8017, 5.2.2); null when the signature is out of range. */
function rsaVerificationPrimitive(key: PublicKey & { kind: "rsa" }, signature: Uint8Array): Uint8Array | null {
  const size = Math.ceil(bitLength(key.modulus) / 8);
  const value = toBigInt(signature);
  if (signature.length !== size || value >= key.modulus) return null;
  return toBytes(power(value, key.exponent, key.modulus), size);
}

/** RFC 8017, 8.2.2: compares the encoded message as a whole. */
function verifyRsaPkcs1(
  key: PublicKey & { kind: "rsa" },
  hash: HashName,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  const encoded = rsaVerificationPrimitive(key, signature);
  const prefix = hexToBytes(DIGEST_INFO_PREFIXES[hash]);
  const padding = (encoded?.length ?? 0) - prefix.length - digest.length - 3;
  if (!encoded || padding < 8) return false;
  const expected = new Uint8Array(encoded.length).fill(0xff);
  expected.set([0, 1]);
  expected[2 + padding] = 0;
  expected.set(prefix, 3 + padding);
  expected.set(digest, 3 + padding + prefix.length);
  return bytesEqual(encoded, expected);
}

/** RFC 8017, 9.1.2, with MGF1 over the same hash and a salt of the length of its digest. */
function verifyRsaPss(
  key: PublicKey & { kind: "rsa" },
  hash: HashName,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  const message = rsaVerificationPrimitive(key, signature);
  if (!message) return false;
  const encodedBits = bitLength(key.modulus) - 1;
  const encodedSize = Math.ceil(encodedBits / 8);
  const encoded = message.subarray(message.length - encodedSize);
  const size = digest.length;
  const maskedSize = encodedSize - size - 1;
  const paddingSize = maskedSize - size - 1;
  if (message.length > encodedSize && message[0] !== 0) return false;
  if (paddingSize < 0 || encoded.at(-1) !== 0xbc) return false;
  const digestOfSalted = encoded.subarray(maskedSize, maskedSize + size);
  const unusedBits = 8 * encodedSize - encodedBits;
  if ((encoded[0] as number) >> (8 - unusedBits)) return false;
  const block = encoded.slice(0, maskedSize);
  const mask = mgf1(digestOfSalted, maskedSize, hash);
  for (let index = 0; index < maskedSize; index++) block[index] = (block[index] as number) ^ (mask[index] as number);
  block[0] = (block[0] as number) & (0xff >> unusedBits);
  if (block.subarray(0, paddingSize).some((byte) => byte !== 0) || block[paddingSize] !== 1) return false;
  const salted = new Uint8Array(8 + 2 * size);
  salted.set(digest, 8);
  salted.set(block.subarray(paddingSize + 1), 8 + size);
  return bytesEqual(HASHES[hash](salted), digestOfSalted);
}

function mgf1(seed: Uint8Array, length: number, hash: HashName): Uint8Array {
  const mask = new Uint8Array(length);
  const input = new Uint8Array(seed.length + 4);
  input.set(seed);
  for (let counter = 0, at = 0; at < length; counter++) {
    new DataView(input.buffer).setUint32(seed.length, counter);
    const part = HASHES[hash](input);
    mask.set(part.subarray(0, length - at), at);
    at += part.length;
  }
  return mask;
}

/** FIPS 186-4, 4.7. */
function verifyDsa({ p, q, g, y }: PublicKey & { kind: "dsa" }, digest: Uint8Array, r: bigint, s: bigint): boolean {
  if (r >= q || s >= q) return false;
  const inverse = invert(s, q);
  if (inverse === null) return false;
  const u1 = (leftmostBits(digest, q) * inverse) % q;
  const u2 = (r * inverse) % q;
  return ((power(g, u1, p) * power(y, u2, p)) % p) % q === r;
}

/** SEC 1, 4.1.4. */
function verifyEcdsa(key: PublicKey & { kind: "ec" }, digest: Uint8Array, r: bigint, s: bigint): boolean {
  const { curve } = key;
  if (r >= curve.n || s >= curve.n) return false;
  const inverse = invert(s, curve.n);
  if (inverse === null) return false;
  const u1 = (leftmostBits(digest, curve.n) * inverse) % curve.n;
  const u2 = (r * inverse) % curve.n;
  const x = sumOfMultiples(curve, u1, u2, key);
  return x !== null && x % curve.n === r;
}

/** A point in Jacobian coordinates, (x / z², y / z³); z is 0 at infinity. */
interface Point {
  x: bigint;
  y: bigint;
  z: bigint;
}

/** The x coordinate of u1 · G + u2 · Q, by Shamir's trick; null for the point at infinity. */
function sumOfMultiples(curve: Curve, u1: bigint, u2: bigint, q: { x: bigint; y: bigint }): bigint | null {
  const base: Point = { x: curve.gx, y: curve.gy, z: 1n };
  const other: Point = { x: q.x, y: q.y, z: 1n };
  const table = [null, base, other, addPoints(curve, base, other)] as const;
  let sum: Point = { x: 1n, y: 1n, z: 0n };
  for (let bit = BigInt(Math.max(bitLength(u1), bitLength(u2))) - 1n; bit >= 0n; bit--) {
    sum = doublePoint(curve, sum);
    const chosen = table[Number(((u1 >> bit) & 1n) | (((u2 >> bit) & 1n) << 1n))];
    if (chosen) sum = addPoints(curve, sum, chosen);
  }
  const inverse = sum.z === 0n ? null : invert(sum.z, curve.p);
  return inverse === null ? null : mod(sum.x * inverse * inverse, curve.p);
}

/** "dbl-2001-b" of the Explicit-Formulas Database, for a = -3. */
function doublePoint({ p }: Curve, { x, y, z }: Point): Point {
  if (z === 0n) return { x, y, z };
  const delta = (z * z) % p;
  const gamma = (y * y) % p;
  const beta = (x * gamma) % p;
  const alpha = mod(3n * (x - delta) * (x + delta), p);
  const doubledX = mod(alpha * alpha - 8n * beta, p);
  return {
    x: doubledX,
    y: mod(alpha * (4n * beta - doubledX) - 8n * gamma * gamma, p),
    z: mod((y + z) * (y + z) - gamma - delta, p),
  };
}

/** "add-2007-bl" of the Explicit-Formulas Database, with its exceptional cases. */
function addPoints(curve: Curve, a: Point, b: Point): Point {
  if (a.z === 0n) return b;
  if (b.z === 0n) return a;
  const { p } = curve;
  const azz = (a.z * a.z) % p;
  const bzz = (b.z * b.z) % p;
  const u1 = (a.x * bzz) % p;
  const u2 = (b.x * azz) % p;
  const s1 = (a.y * b.z * bzz) % p;
  const s2 = (b.y * a.z * azz) % p;
  const h = mod(u2 - u1, p);
  const r = mod(2n * (s2 - s1), p);
  if (h === 0n) return r === 0n ? doublePoint(curve, a) : { x: 1n, y: 1n, z: 0n };
  const i = (4n * h * h) % p;
  const j = (h * i) % p;
  const v = (u1 * i) % p;
  const x = mod(r * r - j - 2n * v, p);
  return {
    x,
    y: mod(r * (v - x) - 2n * s1 * j, p),
    z: mod(((a.z + b.z) * (a.z + b.z) - azz - bzz) * h, p),
  };
}

/** The leftmost bits of a digest, in the length of the order (FIPS 186-4, 4.6; SEC 1, 4.1.3). */
function leftmostBits(digest: Uint8Array, order: bigint): bigint {
  const excess = 8 * digest.length - bitLength(order);
  return excess > 0 ? toBigInt(digest) >> BigInt(excess) : toBigInt(digest);
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let square = mod(base, modulus);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The modular inverse by the extended Euclidean algorithm; null when there is none. */
function invert(value: bigint, modulus: bigint): bigint | null {
  let [rest, next] = [mod(value, modulus), modulus];
  let [coefficient, nextCoefficient] = [1n, 0n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [coefficient, nextCoefficient] = [nextCoefficient, coefficient - quotient * nextCoefficient];
  }
  return rest === 1n ? mod(coefficient, modulus) : null;
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

function toBytes(value: bigint, size: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(2 * size, "0"));
}

/** The value of an INTEGER; null for a negative one and for other types. */
function positiveInteger(value: DerValue | null | undefined): bigint | null {
  return (value?.contents[0] ?? 0) & 0x80 ? null : unsignedInteger(value);
}

/** The octets of an INTEGER as an unsigned number; null for other types. */
function unsignedInteger(value: DerValue | null | undefined): bigint | null {
  if (value?.tag !== DER_TAG.integer || value.constructed || value.contents.length === 0) return null;
  return toBigInt(value.contents);
}
