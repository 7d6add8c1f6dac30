/**
 * The common model of compiled Android resources: the binary ones of an .apk (ResourceTypes.h) and the protobuf ones of
 * an .aab (aapt2's Resources.proto) are both read into these types.
 */
import { LittleEndian, OverrunError } from "../../encoding/little-endian";
import { MAX_RESOURCE_SEARCH_BYTES } from "../../limits";

/** A reference to a resource: by id, or by "type/name" where an .aab omits the id. */
export interface ResourceReference {
  type: "reference";
  /** 0xPPTTEEEE: package, type, entry; 0 when unknown. */
  id: number;
  name?: string;
}

export type ResourceValue =
  | ResourceReference
  | { type: "null" }
  | { type: "string"; value: string }
  | { type: "attribute"; id: number }
  /** Signed, 32 bits. */
  | { type: "integer"; value: number }
  | { type: "boolean"; value: boolean }
  | { type: "float"; value: number }
  /** Density-independent pixels; other units are converted at 160 dpi. */
  | { type: "dimension"; value: number }
  /** 1 is 100 %. */
  | { type: "fraction"; value: number }
  /** 0xAARRGGBB. */
  | { type: "color"; argb: number };

/** Density qualifiers of ResTable_config that are not dots per inch; 0xfffe is `anydpi`. */
const DENSITY_DEFAULT = 0;
const DENSITY_NONE = 0xffff;

/** The qualifiers of a resource folder that decide which value a phone uses. */
export interface ResourceConfig {
  /** BCP 47 language with optional region ("", "en", "en-US"). */
  locale: string;
  /** Dots per inch, or one of the qualifiers that are not. */
  density: number;
  sdkVersion: number;
  /** It is for a state or device other than a phone in portrait and day mode (night, TV, landscape, a SIM card, …). */
  special: boolean;
}

export interface ResourceCandidate {
  config: ResourceConfig;
  value: ResourceValue;
}

export interface ResourceTable {
  /** All simple values of a resource in the order of the file; empty for an unknown resource and for a bag. */
  candidates(reference: ResourceReference): ResourceCandidate[];
}

/** An empty table. */
export const NO_RESOURCES: ResourceTable = { candidates: () => [] };

/** Limits the cost of all lookups in a table. */
export class SearchBudget {
  #remaining = MAX_RESOURCE_SEARCH_BYTES;

  /**
   * Counts bytes that are about to be searched.
   * @returns false when the budget is used up
   */
  spend(bytes: number): boolean {
    this.#remaining -= bytes;
    return this.#remaining >= 0;
  }
}

const RADIX_FACTORS = [1 / 0x100, 1 / 0x8000, 1 / 0x800000, 1 / 0x80000000] as const;
const DP_PER_UNIT = [1, 1, 1, 160 / 72, 160, 160 / 25.4] as const;

function complexNumber(data: number): number {
  return ((data | 0) & ~0xff) * (RADIX_FACTORS[(data >> 4) & 3] as number);
}

/** A complex dimension of ResourceTypes.h (24-bit mantissa, radix, unit) in dp. */
export function complexDimension(data: number): number {
  return complexNumber(data) * (DP_PER_UNIT[data & 0xf] ?? 1);
}

/** A complex fraction of ResourceTypes.h; 1 is 100 %. */
export function complexFraction(data: number): number {
  return complexNumber(data);
}

const FLOAT_BITS = new DataView(new ArrayBuffer(4));

/**
 * Decodes a Res_value (ResourceTypes.h).
 * @param stringAt looks up a string in the pool of the value
 */
export function decodeResValue(type: number, data: number, stringAt: (index: number) => string | null): ResourceValue {
  switch (type) {
    case 0x01:
    case 0x07:
      return data === 0 ? { type: "null" } : { type: "reference", id: data >>> 0 };
    case 0x02:
    case 0x08:
      return { type: "attribute", id: data >>> 0 };
    case 0x03: {
      const value = stringAt(data >>> 0);
      return value === null ? { type: "null" } : { type: "string", value };
    }
    case 0x04:
      FLOAT_BITS.setUint32(0, data >>> 0);
      return { type: "float", value: FLOAT_BITS.getFloat32(0) };
    case 0x05:
      return { type: "dimension", value: complexDimension(data) };
    case 0x06:
      return { type: "fraction", value: complexFraction(data) };
    case 0x12:
      return { type: "boolean", value: data !== 0 };
    case 0x1c:
    case 0x1d:
    case 0x1e:
    case 0x1f:
      return { type: "color", argb: data >>> 0 };
    default:
      return type >= 0x10 && type <= 0x1f ? { type: "integer", value: data | 0 } : { type: "null" };
  }
}

function localeRank(locale: string): number {
  if (locale === "") return 0;
  if (locale === "en-US") return 1;
  return locale === "en" || locale.startsWith("en-") ? 2 : 3;
}

/**
 * Orders values by the preference of a phone in the default language of the app, else in English: ordinary before
 * special, then by language, then by density (`anydpi` first, then descending), then by the newest system.
 */
function byPreference(a: ResourceCandidate, b: ResourceCandidate): number {
  return (
    Number(a.config.special) - Number(b.config.special) ||
    localeRank(a.config.locale) - localeRank(b.config.locale) ||
    densityRank(b.config.density) - densityRank(a.config.density) ||
    b.config.sdkVersion - a.config.sdkVersion
  );
}

/** The rank of a density; a value without one is for 160 dpi. */
function densityRank(density: number): number {
  return density === DENSITY_DEFAULT || density === DENSITY_NONE ? 160 : density;
}

const MAX_CHAIN_LENGTH = 20;
const MAX_LOOKUPS = 200;

/**
 * Resolves a value, following its references: all candidates, best first. Cycles and chains of more than 20 references
 * are cut off, and so is the search after 200 resources.
 */
export function resolveAll(table: ResourceTable, value: ResourceValue | null): ResourceCandidate[] {
  const resolved: ResourceCandidate[] = [];
  const seen = new Set<number | string>();
  const follow = (candidate: ResourceCandidate, depth: number): void => {
    if (candidate.value.type !== "reference") {
      if (candidate.value.type !== "null" && candidate.value.type !== "attribute") resolved.push(candidate);
      return;
    }
    const key = candidate.value.id || (candidate.value.name ?? "");
    if (depth >= MAX_CHAIN_LENGTH || seen.size >= MAX_LOOKUPS || seen.has(key)) return;
    seen.add(key);
    for (const next of table.candidates(candidate.value).toSorted(byPreference)) follow(next, depth + 1);
  };
  if (value) follow({ config: { locale: "", density: DENSITY_DEFAULT, sdkVersion: 0, special: false }, value }, 0);
  return resolved;
}

/** The best candidate of a resolved value; null when there is none. */
export function resolveValue(table: ResourceTable, value: ResourceValue | null): ResourceValue | null {
  return resolveAll(table, value)[0]?.value ?? null;
}

/** The text of a resolved value, coerced as by Android's TypedArray; null when it has none. */
export function resolveText(table: ResourceTable, value: ResourceValue | null): string | null {
  const resolved = resolveValue(table, value);
  switch (resolved?.type) {
    case "string":
      return resolved.value;
    case "integer":
    case "boolean":
      return String(resolved.value);
    case "float":
      return shortestFloat(resolved.value);
    default:
      return null;
  }
}

/** The shortest decimal that rounds to the same 32-bit float: 1.1 instead of 1.100000023841858. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** The integer of a resolved value, which may be decimal or hexadecimal text; null when it is not one. */
export function resolveInteger(table: ResourceTable, value: ResourceValue | null): number | null {
  const resolved = resolveValue(table, value);
  if (resolved?.type === "integer") return resolved.value;
  if (resolved?.type !== "string") return null;
  const text = resolved.value.trim();
  if (!/^(-?\d{1,10}|0[xX][\da-fA-F]{1,8})$/.test(text)) return null;
  const number = Number(text);
  return number >= -0x80000000 && number <= 0xffffffff ? number | 0 : null;
}

/** The boolean of a resolved value, which may be a number or text; null when it is not one. */
export function resolveBoolean(table: ResourceTable, value: ResourceValue | null): boolean | null {
  const resolved = resolveValue(table, value);
  if (resolved?.type === "boolean") return resolved.value;
  if (resolved?.type === "integer") return resolved.value !== 0;
  if (resolved?.type === "string")
    return resolved.value === "true" || resolved.value === "TRUE" || resolved.value === "1";
  return null;
}

/**
 * A string pool (ResStringPool, ResourceTypes.h) whose strings are decoded on demand: the pool of a large app has many
 * thousands of strings, of which only a few are used.
 */
export class StringPool {
  readonly #data: LittleEndian;
  readonly #offsets: number;
  readonly #count: number;
  readonly #start: number;
  readonly #utf8: boolean;
  readonly #decoded = new Map<number, string | null>();
  /** Intact strings do not overlap, so that all of them together are not longer than the chunk. */
  #remainingBytes: number;

  /** @param chunk the whole chunk including its header; strings beyond its end are missing */
  constructor(chunk: Uint8Array) {
    this.#data = new LittleEndian(chunk);
    this.#offsets = this.#data.u16(2);
    this.#start = this.#data.u32(20);
    this.#utf8 = (this.#data.u32(16) & 0x100) !== 0;
    // As on Android, the count is capped by the space for the offsets.
    const capacity = Math.max(0, Math.floor((chunk.length - this.#offsets) / 4));
    this.#count = Math.min(this.#data.u32(8), capacity);
    this.#remainingBytes = chunk.length;
  }

  /** The string at `index`; null when it is missing, damaged, or one of too many overlapping strings. */
  at(index: number): string | null {
    if (index >= this.#count) return null;
    const known = this.#decoded.get(index);
    if (known !== undefined) return known;
    const text = this.#decode(index);
    this.#decoded.set(index, text);
    return text;
  }

  #decode(index: number): string | null {
    try {
      const offset = this.#start + this.#data.u32(this.#offsets + 4 * index);
      return this.#utf8 ? this.#utf8At(offset) : this.#utf16At(offset);
    } catch {
      return null;
    }
  }

  #utf16At(offset: number): string {
    let start = offset + 2;
    let units = this.#data.u16(offset);
    if (units & 0x8000) {
      units = ((units & 0x7fff) << 16) | this.#data.u16(start);
      start += 2;
    }
    return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(this.#slice(start, 2 * units));
  }

  #utf8At(offset: number): string {
    // The length in UTF-16 units and the length in bytes, each in one or two bytes.
    let start = offset + (this.#data.u8(offset) & 0x80 ? 2 : 1);
    let length = this.#data.u8(start++);
    if (length & 0x80) length = ((length & 0x7f) << 8) | this.#data.u8(start++);
    // aapt drops the upper bits of lengths from 32,768 on: the string extends to its NUL.
    while (start + length < this.#data.length && this.#data.u8(start + length) !== 0) length += 0x8000;
    return decodeModifiedUtf8(this.#slice(start, Math.min(length, this.#data.length - start)));
  }

  #slice(start: number, length: number): Uint8Array {
    this.#remainingBytes -= length;
    if (this.#remainingBytes < 0) throw new OverrunError("overlapping strings");
    return this.#data.slice(start, length);
  }
}

/** Decodes UTF-8 as Android writes it, which includes CESU-8 surrogates and NUL as C0 80; damage becomes U+FFFD. */
export function decodeModifiedUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not standard UTF-8: decoded below.
  }
  const units: number[] = [];
  const continuation = (index: number): number => {
    const byte = bytes[index] ?? 0;
    return (byte & 0xc0) === 0x80 ? byte & 0x3f : -1;
  };
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes[index] as number;
    const second = continuation(index + 1);
    const third = continuation(index + 2);
    const fourth = continuation(index + 3);
    if (lead < 0x80) {
      units.push(lead);
      index += 1;
    } else if ((lead & 0xe0) === 0xc0 && second >= 0) {
      units.push(((lead & 0x1f) << 6) | second);
      index += 2;
    } else if ((lead & 0xf0) === 0xe0 && second >= 0 && third >= 0) {
      units.push(((lead & 0x0f) << 12) | (second << 6) | third);
      index += 3;
    } else if ((lead & 0xf8) === 0xf0 && second >= 0 && third >= 0 && fourth >= 0) {
      const point = (((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth) - 0x10000;
      units.push(0xd800 | ((point >> 10) & 0x3ff), 0xdc00 | (point & 0x3ff));
      index += 4;
    } else {
      units.push(0xfffd);
      index += 1;
    }
  }
  let text = "";
  for (let index = 0; index < units.length; index += 4096)
    text += String.fromCharCode(...units.slice(index, index + 4096));
  return text;
}
