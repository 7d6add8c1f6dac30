import { startsWithAscii } from "../encoding/bytes";
import { plainText } from "../encoding/text";
import { parseBinaryPlist } from "./binary";
import { parseOpenStepPlist } from "./openstep";
import { decodeText } from "./text-encoding";
import { PlistBudget, type PlistDictionary, PlistError, type PlistValue } from "./value";
import { parseXmlPlist } from "./xml";

export { type PlistDictionary, PlistError, type PlistValue } from "./value";

/** The most bytes that a property list may hold. */
export const MAX_PLIST_BYTES = 1024 * 1024;

const BINARY_MAGIC = "bplist0";

/**
 * Reads a property list of any of Apple's formats: binary, XML (in UTF-8, UTF-16 or a declared Latin encoding), or the
 * old text format of `.strings` files. Depth and number of objects are limited, and no entity is ever expanded.
 * @throws PlistError
 */
export function parsePlist(bytes: Uint8Array): PlistValue {
  if (bytes.length > MAX_PLIST_BYTES) throw new PlistError("too long");
  const budget = new PlistBudget();
  if (startsWithAscii(bytes, BINARY_MAGIC)) {
    return parseBinaryPlist(bytes, budget);
  }
  const text = decodeText(bytes);
  return /^\s*<[?!A-Za-z]/.test(text) ? parseXmlPlist(text, budget) : parseOpenStepPlist(text, budget);
}

/**
 * Reads a property list whose root is a dictionary.
 * @throws PlistError
 */
export function parsePlistDictionary(bytes: Uint8Array): PlistDictionary {
  const value = parsePlist(bytes);
  if (!(value instanceof Map)) throw new PlistError("no dictionary");
  return value;
}

/** A text under `key`; numbers, which hand-written lists hold in its place, as decimal text. Empty counts as absent. */
export function textOf(dictionary: PlistDictionary, key: string): string | null {
  return asText(dictionary.get(key));
}

/** A list's value as one line of text (see plainText), numbers in decimal, null where it is neither or empty. */
export function asText(value: PlistValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "string") return null;
  return plainText(value) || null;
}

/** The members of the array under `key`; a lone value counts as an array of one, nothing as an empty one. */
export function arrayOf(dictionary: PlistDictionary, key: string): readonly PlistValue[] {
  const value = dictionary.get(key);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The dictionary under `key`, an empty one where there is none. */
export function dictionaryOf(dictionary: PlistDictionary, key: string): PlistDictionary {
  const value = dictionary.get(key);
  return value instanceof Map ? value : new Map();
}
