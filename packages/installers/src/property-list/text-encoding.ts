import { PlistError } from "./value";

/** The encodings that an XML declaration may name, and their decoders. Others are refused. */
const DECLARED_ENCODINGS = new Map([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["ascii", "utf-8"],
  ["iso-8859-1", "windows-1252"],
  ["latin1", "windows-1252"],
  ["windows-1252", "windows-1252"],
  ["macintosh", "macintosh"],
  ["x-mac-roman", "macintosh"],
  ["utf-16", "utf-8"], // a file that was converted without its declaration: its bytes show that it is not UTF-16
]);

/**
 * Decodes the text of an XML or OpenStep list: UTF-16 by its byte order mark or zero bytes, else as declared, else UTF-8.
 * @throws PlistError for an unknown encoding or malformed text
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, "utf-16le");
  if (first === 0xfe && second === 0xff) return decode(bytes, "utf-16be");
  if (first === 0 && second !== 0 && bytes.length % 2 === 0) return decode(bytes, "utf-16be");
  if (second === 0 && first !== 0 && bytes.length % 2 === 0) return decode(bytes, "utf-16le");
  const start = String.fromCharCode(...bytes.subarray(0, 128));
  const declared = /^[^<]{0,3}<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,20})["']/.exec(start)?.[1];
  const encoding = declared === undefined ? "utf-8" : DECLARED_ENCODINGS.get(declared.toLowerCase());
  if (!encoding) throw new PlistError("unknown encoding");
  return decode(bytes, encoding);
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new PlistError(`not ${encoding}`);
  }
}
