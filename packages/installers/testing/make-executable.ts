import { randomBytes } from "node:crypto";
import { makeXmlPlist, type PlistInput } from "./make-plist";

const ARM64 = 0x0100000c;
const ARMV7 = 12;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;

export interface ExecutableOptions {
  /** What the signature claims; undefined for a signature without entitlements, null for no signature. */
  claims?: { readonly [name: string]: PlistInput } | null;
  /** The CMS message by which somebody signed it, DER. */
  cms?: Uint8Array;
  /** Puts the slice behind one for armv7 that claims nothing. */
  fat?: boolean;
  /** Bytes of code, which do not compress. */
  codeBytes?: number;
}

function blob(magic: number, ...parts: Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(magic, 0);
  header.writeUInt32BE(8 + contents.length, 4);
  return Buffer.concat([header, contents]);
}

/** A code signature (xnu, osfmk/kern/cs_blobs.h) with a code directory and the claims. */
export function makeCodeSignature(
  claims: { readonly [name: string]: PlistInput } | undefined,
  cms?: Uint8Array,
): Buffer {
  const blobs = [{ slot: 0, bytes: blob(0xfade0c02, Buffer.alloc(64)) }];
  if (claims) blobs.push({ slot: 5, bytes: blob(0xfade7171, makeXmlPlist(claims)) });
  if (cms) blobs.push({ slot: 0x10000, bytes: blob(0xfade0b01, cms) });
  const index = Buffer.alloc(4 + blobs.length * 8);
  index.writeUInt32BE(blobs.length, 0);
  let offset = 8 + index.length;
  for (const [position, { slot, bytes }] of blobs.entries()) {
    index.writeUInt32BE(slot, 4 + position * 8);
    index.writeUInt32BE(offset, 8 + position * 8);
    offset += bytes.length;
  }
  return blob(0xfade0cc0, index, ...blobs.map(({ bytes }) => bytes));
}

function slice({ claims, cms, codeBytes = 4_096 }: ExecutableOptions, cpu: number): Buffer {
  const signature = claims === null ? Buffer.alloc(0) : makeCodeSignature(claims, cms);
  const commands = Buffer.alloc(72 + 16);
  commands.writeUInt32LE(LC_SEGMENT_64, 0);
  commands.writeUInt32LE(72, 4);
  commands.writeUInt32LE(claims === null ? 0 : LC_CODE_SIGNATURE, 72);
  commands.writeUInt32LE(16, 76);
  commands.writeUInt32LE(32 + commands.length + codeBytes, 80);
  commands.writeUInt32LE(signature.length, 84);
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xfeedfacf, 0);
  header.writeUInt32LE(cpu, 4);
  header.writeUInt32LE(2, 12);
  header.writeUInt32LE(2, 16);
  header.writeUInt32LE(commands.length, 20);
  return Buffer.concat([header, commands, randomBytes(codeBytes), signature]);
}

/** Makes a Mach-O executable for 64-bit devices, with a code signature at its end. */
export function makeExecutable(options: ExecutableOptions = {}): Buffer {
  const current = slice(options, ARM64);
  if (!options.fat) return current;
  const other = slice({ claims: undefined }, ARMV7);
  const header = Buffer.alloc(8 + 2 * 20);
  header.writeUInt32BE(0xcafebabe, 0);
  header.writeUInt32BE(2, 4);
  const slices = [
    { cpu: ARMV7, offset: header.length, bytes: other },
    { cpu: ARM64, offset: header.length + other.length, bytes: current },
  ];
  for (const [position, { cpu, offset, bytes }] of slices.entries()) {
    header.writeUInt32BE(cpu, 8 + position * 20);
    header.writeUInt32BE(offset, 16 + position * 20);
    header.writeUInt32BE(bytes.length, 20 + position * 20);
  }
  return Buffer.concat([header, other, current]);
}
