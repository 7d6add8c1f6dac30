/**
 * A reader of ASN.1 in BER and DER (X.690) for certificates and signatures. asn1js is not used because it accepts
 * inconsistent lengths (a SEQUENCE whose contents exceed it), so that the bytes read could differ from the bytes signed.
 */

import { concatBytes } from "./bytes";

/** Tags (X.680, 8.4) of the universal class, as their identifier octet without the "constructed" bit. */
export const DER_TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x10,
  set: 0x11,
} as const;

const CONSTRUCTED = 0x20;
const HIGH_TAG = 0x1f;
const MAX_DEPTH = 32;

export interface DerValue {
  /** The identifier octet without the "constructed" bit: DER_TAG, or 0x80 and up for context-specific ones. */
  tag: number;
  constructed: boolean;
  contents: Uint8Array;
  /** The contents with their identifier and length. */
  encoded: Uint8Array;
}

class DerError extends Error {}

/** The value that spans all of `bytes`; null when they are not exactly one value. */
export function parseDer(bytes: Uint8Array): DerValue | null {
  const values = parseAll(bytes);
  return values?.length === 1 ? (values[0] as DerValue) : null;
}

/** The first value of `bytes`, whatever follows it; null when there is none. */
export function parseFirstDer(bytes: Uint8Array): DerValue | null {
  try {
    return readValue(bytes, 0, 0);
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

/** The members of a constructed value (a SEQUENCE, a SET, an explicit tag); empty for others and damaged ones. */
export function childrenOf(value: DerValue | null | undefined): DerValue[] {
  return value?.constructed ? (parseAll(value.contents) ?? []) : [];
}

/** The members of a SEQUENCE; empty for anything else. */
export function sequenceOf(value: DerValue | null | undefined): DerValue[] {
  return value?.tag === DER_TAG.sequence ? childrenOf(value) : [];
}

/** The bytes of an OCTET STRING, primitive or in parts (BER); null for anything else. */
export function octetsOf(value: DerValue | null | undefined): Uint8Array | null {
  if (value?.tag !== DER_TAG.octetString) return null;
  if (!value.constructed) return value.contents;
  const parts = childrenOf(value);
  if (parts.some((part) => part.tag !== DER_TAG.octetString || part.constructed)) return null;
  return concatBytes(parts.map((part) => part.contents));
}

/** The bytes of a BIT STRING of whole octets; null for anything else. */
export function bitsOf(value: DerValue | null | undefined): Uint8Array | null {
  return value?.tag === DER_TAG.bitString && !value.constructed && value.contents[0] === 0
    ? value.contents.subarray(1)
    : null;
}

/** An OBJECT IDENTIFIER in dotted form; "" for anything else. */
export function objectIdentifierOf(value: DerValue | null | undefined): string {
  if (value?.tag !== DER_TAG.objectIdentifier || value.constructed) return "";
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of value.contents) {
    if (arc > 2 ** 40) return "";
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length === 0) {
      const first = Math.min(2, Math.floor(arc / 40));
      arcs.push(first, arc - 40 * first);
    } else arcs.push(arc);
    arc = 0;
  }
  return arcs.join(".");
}

function parseAll(bytes: Uint8Array): DerValue[] | null {
  try {
    const values: DerValue[] = [];
    for (let at = 0; at < bytes.length; ) {
      const value = readValue(bytes, at, 0);
      values.push(value);
      at += value.encoded.length;
    }
    return values;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

function readValue(bytes: Uint8Array, start: number, depth: number): DerValue {
  const identifier = bytes[start];
  const length = bytes[start + 1];
  if (identifier === undefined || length === undefined || (identifier & HIGH_TAG) === HIGH_TAG) throw new DerError();
  const constructed = (identifier & CONSTRUCTED) !== 0;
  const value = (contentsStart: number, contentsEnd: number, end: number): DerValue => ({
    tag: identifier & ~CONSTRUCTED,
    constructed,
    contents: bytes.subarray(contentsStart, contentsEnd),
    encoded: bytes.subarray(start, end),
  });
  let at = start + 2;
  if (length === 0x80) {
    // The indefinite form ends with two zero octets in the place of a value.
    if (!constructed || depth >= MAX_DEPTH) throw new DerError();
    const contentsStart = at;
    while (bytes[at] !== 0 || bytes[at + 1] !== 0) at += readValue(bytes, at, depth + 1).encoded.length;
    return value(contentsStart, at, at + 2);
  }
  let size = length;
  if (length > 0x80) {
    const octets = length & 0x7f;
    if (octets > 4 || at + octets > bytes.length) throw new DerError();
    size = bytes.subarray(at, at + octets).reduce((sum, octet) => sum * 256 + octet, 0);
    at += octets;
  }
  if (at + size > bytes.length) throw new DerError();
  return value(at, at + size, at + size);
}
