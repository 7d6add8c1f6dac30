/** A DER value (X.690): identifier octet, length and contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOctets(body.length), body]);
}

/** A constructed value in BER with indefinite length, whose contents end with two zero octets. */
export function berIndefinite(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x80), ...contents, Buffer.of(0, 0)]);
}

/** Identifier octets. */
export const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  octetStrings: 0x24,
  /** A constructed context-specific tag. */
  context: (number: number) => 0xa0 + number,
} as const;

/** An OBJECT IDENTIFIER from its dotted form. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(TAG.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** A non-negative INTEGER from hex digits. */
export function derInteger(hex: string): Buffer {
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return der(TAG.integer, (bytes[0] as number) >= 0x80 ? Buffer.of(0) : Buffer.alloc(0), bytes);
}

/** A time of a certificate (RFC 5280, 4.1.2.5): UTCTime through 2049, then GeneralizedTime. */
export function derTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, "").slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? der(TAG.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : der(TAG.generalizedTime, Buffer.from(`${digits}Z`));
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

function base128(value: number): number[] {
  const septets = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    septets.unshift(0x80 | (rest & 0x7f));
  return septets;
}
