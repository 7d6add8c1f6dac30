import { viewOf } from "./bytes";

/** Bytes that are not a protobuf message. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/** One field of a message in its wire format. */
export interface ProtobufField {
  number: number;
  /** The lower 32 bits of a varint or fixed-size number, unsigned; 0 for a length-delimited field. */
  bits: number;
  /** A view of the contents of a length-delimited field; empty for numbers. */
  bytes: Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
const NO_BYTES = new Uint8Array();

/**
 * The fields of a message in order (protobuf.dev, "Encoding"); nested messages are not decoded.
 * @throws ProtobufError when a field is cut short, has number 0, or has a wire type of the deprecated groups
 */
export function* protobufFields(message: Uint8Array): Generator<ProtobufField> {
  let at = 0;
  let bits = 0;
  const varint = (): number => {
    bits = 0;
    let large = false;
    for (let index = 0; ; index++) {
      const byte = message[at++];
      if (byte === undefined || index === 10) throw new ProtobufError("a varint has no end");
      if (index < 4) bits |= (byte & 0x7f) << (7 * index);
      else if (index === 4) bits |= (byte & 0x0f) << 28;
      large ||= index === 4 ? (byte & 0x70) !== 0 : index > 4 && (byte & 0x7f) !== 0;
      if (!(byte & 0x80)) break;
    }
    bits >>>= 0;
    return large ? Number.POSITIVE_INFINITY : bits;
  };
  while (at < message.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    if (number === 0 || tag === Number.POSITIVE_INFINITY) throw new ProtobufError("a field has no valid number");
    const start = at;
    switch (tag & 7) {
      case VARINT:
        varint();
        yield { number, bits, bytes: NO_BYTES };
        break;
      case FIXED64:
      case FIXED32:
        at += (tag & 7) === FIXED64 ? 8 : 4;
        if (at > message.length) throw new ProtobufError("a number is cut short");
        bits = viewOf(message).getUint32(start, true);
        yield { number, bits, bytes: NO_BYTES };
        break;
      case LENGTH_DELIMITED: {
        const length = varint();
        if (length > message.length - at) throw new ProtobufError("a field reaches beyond its message");
        at += length;
        yield { number, bits: 0, bytes: message.subarray(at - length, at) };
        break;
      }
      default:
        throw new ProtobufError(`wire type ${tag & 7}`);
    }
  }
}

/** All length-delimited values of a field, in order. */
export function* repeatedBytes(message: Uint8Array, number: number): Generator<Uint8Array> {
  for (const field of protobufFields(message)) if (field.number === number) yield field.bytes;
}

/** The last length-delimited value of a field, which the format lets win; null when there is none. */
export function lastBytes(message: Uint8Array, number: number): Uint8Array | null {
  let last: Uint8Array | null = null;
  for (const bytes of repeatedBytes(message, number)) last = bytes;
  return last;
}

/** The last value of a string field; "" when there is none. */
export function lastString(message: Uint8Array, number: number): string {
  const bytes = lastBytes(message, number);
  return bytes ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : "";
}

/** The lower 32 bits of the last value of a number field, unsigned; 0 when there is none. */
export function lastNumber(message: Uint8Array, number: number): number {
  let last = 0;
  for (const field of protobufFields(message)) if (field.number === number) last = field.bits;
  return last;
}
