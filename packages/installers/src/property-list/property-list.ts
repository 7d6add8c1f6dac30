import { startsWithAscii } from "../encoding/bytes";
import { plainText } from "../encoding/text";
import { MAX_PLIST_BYTES } from "../limits";
import { parseBinaryPlist } from "./binary";
import { parseOpenStepPlist } from "./openstep";
import { decodeText } from "./text-encoding";
import { PlistBudget, type PlistDictionary, PlistError, type PlistValue } from "./value";
import { parseXmlPlist } from "./xml";

export { type PlistDictionary, PlistError, type PlistValue } from "./value";

const BINARY_MAGIC = "bplist0";

/**
 * Parses a property list in any of Apple's formats: binary, XML (UTF-8, UTF-16 or a declared Latin encoding), or the
 * OpenStep text format of `.strings` files. Size, depth and number of objects are limited, and no entity is expanded.
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
 * Parses a property list whose root is a dictionary.
 * @throws PlistError
 */
export function parsePlistDictionary(bytes: Uint8Array): PlistDictionary {
  const value = parsePlist(bytes);
  if (!(value instanceof Map)) throw new PlistError("no dictionary");
  return value;
}

/** The text under `key`, or a number, which hand-written lists contain instead, in decimal; null when absent or empty. */
export function textOf(dictionary: PlistDictionary, key: string): string | null {
  return asText(dictionary.get(key));
}

/** A text or a number as one line of text (see plainText); null for other types and empty texts. */
export function asText(value: PlistValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "string") return null;
  return plainText(value) || null;
}

/** The array under `key`; another value counts as an array of one member, a missing one as empty. */
export function arrayOf(dictionary: PlistDictionary, key: string): readonly PlistValue[] {
  const value = dictionary.get(key);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The dictionary under `key`; empty when there is none. */
export function dictionaryOf(dictionary: PlistDictionary, key: string): PlistDictionary {
  const value = dictionary.get(key);
  return value instanceof Map ? value : new Map();
}
