/** A value of a property list to be written. Whole numbers are integers; keys with an undefined value are omitted. */
export type PlistInput =
  | string
  | number
  | boolean
  | Date
  | Uint8Array
  | readonly PlistInput[]
  | { readonly [key: string]: PlistInput | undefined };

const REFERENCE_DATE = Date.UTC(2001, 0, 1);

/** Makes an XML property list in the form of Apple's tools. */
export function makeXmlPlist(value: PlistInput): Uint8Array {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n${xml(value)}\n</plist>\n`,
  );
}

/** Makes a binary property list (version 00) without shared objects. */
export function makeBinaryPlist(value: PlistInput): Uint8Array {
  const objects: Buffer[] = [];
  const root = addObject(objects, value);
  const offsets: number[] = [];
  let offset = 8;
  for (const object of objects) {
    offsets.push(offset);
    offset += object.length;
  }
  const trailer = Buffer.alloc(32);
  trailer[6] = 4;
  trailer[7] = 4;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(root), 16);
  trailer.writeBigUInt64BE(BigInt(offset), 24);
  return Buffer.concat([Buffer.from("bplist00"), ...objects, ...offsets.map(uint32), trailer]);
}

function xml(value: PlistInput): string {
  if (typeof value === "string") return `<string>${escapeXml(value)}</string>`;
  if (typeof value === "boolean") return value ? "<true/>" : "<false/>";
  if (typeof value === "number")
    return Number.isInteger(value) ? `<integer>${value}</integer>` : `<real>${value}</real>`;
  if (value instanceof Date) return `<date>${value.toISOString().replace(/\.\d+Z$/, "Z")}</date>`;
  if (value instanceof Uint8Array) return `<data>${Buffer.from(value).toString("base64")}</data>`;
  if (isList(value)) return `<array>${value.map(xml).join("")}</array>`;
  return `<dict>${pairs(value)
    .map(([key, member]) => `<key>${escapeXml(key)}</key>${xml(member)}`)
    .join("\n")}</dict>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function isList(value: PlistInput): value is readonly PlistInput[] {
  return Array.isArray(value);
}

function pairs(value: { readonly [key: string]: PlistInput | undefined }): [string, PlistInput][] {
  return Object.entries(value).filter((pair): pair is [string, PlistInput] => pair[1] !== undefined);
}

/** Adds a value with its members, and returns its index. */
function addObject(objects: Buffer[], value: PlistInput): number {
  if (typeof value === "object" && !(value instanceof Date) && !(value instanceof Uint8Array)) {
    if (isList(value)) {
      const references = value.map((member) => addObject(objects, member));
      return objects.push(Buffer.concat([marker(0xa, references.length), ...references.map(uint32)])) - 1;
    }
    const members = pairs(value);
    const references = [
      ...members.map(([key]) => addObject(objects, key)),
      ...members.map(([, member]) => addObject(objects, member)),
    ];
    return objects.push(Buffer.concat([marker(0xd, members.length), ...references.map(uint32)])) - 1;
  }
  return objects.push(scalar(value)) - 1;
}

function scalar(value: string | number | boolean | Date | Uint8Array): Buffer {
  if (typeof value === "boolean") return Buffer.of(value ? 0x09 : 0x08);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(9, Number.isInteger(value) ? 0x13 : 0x23);
    if (Number.isInteger(value)) bytes.writeBigInt64BE(BigInt(value), 1);
    else bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (value instanceof Date) {
    const bytes = Buffer.alloc(9, 0x33);
    bytes.writeDoubleBE((value.getTime() - REFERENCE_DATE) / 1000, 1);
    return bytes;
  }
  if (value instanceof Uint8Array) return Buffer.concat([marker(0x4, value.length), value]);
  const isAscii = [...value].every((character) => character.charCodeAt(0) < 0x80);
  return isAscii
    ? Buffer.concat([marker(0x5, value.length), Buffer.from(value, "latin1")])
    : Buffer.concat([marker(0x6, value.length), Buffer.from(value, "utf16le").swap16()]);
}

function marker(kind: number, count: number): Buffer {
  if (count < 0xf) return Buffer.of((kind << 4) | count);
  return Buffer.concat([Buffer.of((kind << 4) | 0xf, 0x12), uint32(count)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
