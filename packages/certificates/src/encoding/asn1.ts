import { AsnParser } from "@peculiar/asn1-schema";
import {
  type AsnType,
  BitString,
  BmpString,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
} from "asn1js";
import { CertificateFileError } from "../errors";
import { MAX_DEPTH } from "../limits";
import type { Work } from "../work";

/** A value of ASN.1 (X.690, BER). The accessors throw CertificateFileError read_error for a value of another type. */
export class Asn1 {
  constructor(private readonly value: AsnType) {}

  /** The value with its tag and length. */
  get bytes(): Uint8Array {
    return this.value.valueBeforeDecodeView;
  }

  /** The values of a SEQUENCE or SET, or those in a constructed context-specific value. */
  get children(): Asn1[] {
    return this.values.map((value) => new Asn1(value));
  }

  /** @throws CertificateFileError read_error if there is no such child */
  child(index: number): Asn1 {
    const value = this.values[index];
    if (!value) throw unexpected("another value");
    return new Asn1(value);
  }

  get isSequence(): boolean {
    return this.isUniversal(16);
  }

  get isInteger(): boolean {
    return this.isUniversal(2);
  }

  get isObjectIdentifier(): boolean {
    return this.isUniversal(6);
  }

  get isOctetString(): boolean {
    return this.isUniversal(4);
  }

  get isBitString(): boolean {
    return this.isUniversal(3);
  }

  /** Whether it has the context-specific tag `[number]`. */
  isContext(number: number): boolean {
    return this.value.idBlock.tagClass === 3 && this.value.idBlock.tagNumber === number;
  }

  get objectIdentifier(): string {
    if (!(this.value instanceof ObjectIdentifier)) throw unexpected("an object identifier");
    return this.value.getValue();
  }

  /** Also of an ENUMERATED. NaN for one that a number does not hold exactly. */
  get integer(): number {
    if (!(this.value instanceof Integer)) throw unexpected("an integer");
    const { valueHexView } = this.value.valueBlock;
    return valueHexView.length > 6 ? Number.NaN : Number(this.value.toBigInt());
  }

  /** A GeneralizedTime. */
  get time(): Date {
    const date = this.value instanceof GeneralizedTime ? this.value.toDate() : null;
    if (date === null || Number.isNaN(date.getTime())) throw unexpected("a time");
    return date;
  }

  /** The bits of a positive integer. */
  get integerBits(): number {
    if (!(this.value instanceof Integer)) throw unexpected("an integer");
    const bytes = this.value.valueBlock.valueHexView;
    const start = bytes.findIndex((byte) => byte !== 0);
    return start < 0 ? 0 : (bytes.length - start) * 8 - (Math.clz32(bytes[start] as number) - 24);
  }

  /** The content of an OCTET STRING, in one piece or several, also if its tag is context-specific (IMPLICIT). */
  get octets(): Uint8Array {
    if (this.value instanceof OctetString) return new Uint8Array(this.value.getValue());
    if (this.value.idBlock.tagClass !== 3) throw unexpected("an octet string");
    if (this.value.idBlock.isConstructed) return concat(this.children.map((part) => part.octets));
    return (this.value.valueBlock as unknown as { valueHexView: Uint8Array }).valueHexView;
  }

  /** The text of a BMPString; undefined for a value of another type. */
  get bmpText(): string | undefined {
    return this.value instanceof BmpString ? this.value.getValue() : undefined;
  }

  /** The content of a BIT STRING of whole bytes. */
  get bits(): Uint8Array {
    if (!(this.value instanceof BitString)) throw unexpected("a bit string");
    return this.value.valueBlock.valueHexView;
  }

  /**
   * Reads the value by a schema of the `@peculiar/asn1` packages.
   * @throws CertificateFileError read_error
   */
  as<T>(schema: new () => T): T {
    try {
      return AsnParser.fromASN(this.value, schema);
    } catch (cause) {
      throw new CertificateFileError("read_error", "a structure does not have its schema", { cause });
    }
  }

  private get values(): AsnType[] {
    const { value } = this.value.valueBlock as { value?: unknown };
    if (!this.value.idBlock.isConstructed || !Array.isArray(value)) throw unexpected("a constructed value");
    return value as AsnType[];
  }

  private isUniversal(tag: number): boolean {
    return this.value.idBlock.tagClass === 1 && this.value.idBlock.tagNumber === tag;
  }
}

function unexpected(wanted: string): CertificateFileError {
  return new CertificateFileError("read_error", `${wanted} is missing`);
}

/**
 * Parses one ASN.1 value, with bounded nesting and number of values.
 * @param options.trailing whether bytes may follow the value
 * @throws CertificateFileError read_error
 */
export function parseAsn1(bytes: Uint8Array, work: Work, { trailing = false } = {}): Asn1 {
  work.parse(bytes.length);
  let parsed: ReturnType<typeof fromBER>;
  try {
    parsed = fromBER(bytes, { maxDepth: MAX_DEPTH, maxNodes: work.maxNodes, parseEmbedded: false });
  } catch (cause) {
    throw new CertificateFileError("read_error", "not ASN.1", { cause });
  }
  if (parsed.offset === -1) throw new CertificateFileError("read_error", "not ASN.1");
  if (!trailing && !isPadding(bytes.subarray(parsed.offset))) {
    throw new CertificateFileError("read_error", "bytes follow the ASN.1 value");
  }
  return new Asn1(parsed.result);
}

/** Line breaks and zeros, which some programs append. */
function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
