/**
 * What the compiled forms of Android's resources have in common: the binary ones of an .apk (ResourceTypes.h) and the
 * protobuf ones of an .aab (aapt2's Resources.proto) are both read into these shapes.
 */
import { LittleEndian } from "../../encoding/little-endian";

/** A reference to a resource: by number, or by "type/name" where an .aab leaves the number out. */
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
  /** In density-independent pixels; what is given in pixels, points or millimetres is converted at 160 dpi. */
  | { type: "dimension"; value: number }
  /** 1 is the whole. */
  | { type: "fraction"; value: number }
  /** 0xAARRGGBB. */
  | { type: "color"; argb: number };

/** Density qualifiers of ResTable_config that are not dots per inch; 0xfffe stands for any density. */
const DENSITY_DEFAULT = 0;
const DENSITY_NONE = 0xffff;

/** The qualifiers of a resource folder that decide what a phone shows. */
export interface ResourceConfig {
  /** BCP 47 language with optional region ("", "en", "en-US"). */
  locale: string;
  /** Dots per inch, or a qualifier that is none. */
  density: number;
  sdkVersion: number;
  /** True where it is meant for another device or state than a phone held upright by day (night, TV, landscape, a SIM card, …). */
  special: boolean;
}

export interface ResourceCandidate {
  config: ResourceConfig;
  value: ResourceValue;
}

/** A table of resources. */
export interface ResourceTable {
  /** All plain values of a resource, in the file's order; empty when there is no such resource or it is a bag. */
  candidates(reference: ResourceReference): ResourceCandidate[];
}

/** The table of a file that has none. */
export const NO_RESOURCES: ResourceTable = { candidates: () => [] };

const RADIX_FACTORS = [1 / 0x100, 1 / 0x8000, 1 / 0x800000, 1 / 0x80000000] as const;
const DP_PER_UNIT = [1, 1, 1, 160 / 72, 160, 160 / 25.4] as const;

function complexNumber(data: number): number {
  return ((data | 0) & ~0xff) * (RADIX_FACTORS[(data >> 4) & 3] as number);
}

/** The number of a complex dimension of ResourceTypes.h (24 bits of mantissa, radix, unit), in dp. */
export function complexDimension(data: number): number {
  return complexNumber(data) * (DP_PER_UNIT[data & 0xf] ?? 1);
}

/** The number of a complex fraction of ResourceTypes.h; 1 is the whole. */
export function complexFraction(data: number): number {
  return complexNumber(data);
}

const FLOAT_BITS = new DataView(new ArrayBuffer(4));

/** Reads a Res_value (ResourceTypes.h); `stringAt` looks into the pool that the value belongs to. */
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
 * Orders values as a phone would prefer them whose language is the app's default, else English:
 * ordinary before special, then language, then the density (higher first, `anydpi` highest), then the newest system.
 */
function byPreference(a: ResourceCandidate, b: ResourceCandidate): number {
  return (
    Number(a.config.special) - Number(b.config.special) ||
    localeRank(a.config.locale) - localeRank(b.config.locale) ||
    densityRank(b.config.density) - densityRank(a.config.density) ||
    b.config.sdkVersion - a.config.sdkVersion
  );
}

/** Where a density stands among others; what carries none is drawn for 160 dpi. */
function densityRank(density: number): number {
  return density === DENSITY_DEFAULT || density === DENSITY_NONE ? 160 : density;
}

const LONGEST_CHAIN = 20;
const MOST_LOOKUPS = 200;

/**
 * All values that a value stands for, references followed, best first. A chain that is longer than 20 references or comes
 * back to itself ends there; after 200 resources the search ends.
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
    if (depth >= LONGEST_CHAIN || seen.size >= MOST_LOOKUPS || seen.has(key)) return;
    seen.add(key);
    for (const next of table.candidates(candidate.value).toSorted(byPreference)) follow(next, depth + 1);
  };
  if (value) follow({ config: { locale: "", density: DENSITY_DEFAULT, sdkVersion: 0, special: false }, value }, 0);
  return resolved;
}

/** The value that a value stands for on a phone, references followed; null when it leads to nothing. */
export function resolveValue(table: ResourceTable, value: ResourceValue | null): ResourceValue | null {
  return resolveAll(table, value)[0]?.value ?? null;
}

/** Text of a value as Android's TypedArray coerces it, references followed; null when it stands for no text. */
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

/** The shortest decimal that is the same 32-bit float: 1.1 and not 1.100000023841858. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** A whole number of a value, references followed and decimal or hexadecimal text read; null when it is none. */
export function resolveInteger(table: ResourceTable, value: ResourceValue | null): number | null {
  const resolved = resolveValue(table, value);
  if (resolved?.type === "integer") return resolved.value;
  if (resolved?.type !== "string") return null;
  const text = resolved.value.trim();
  if (!/^(-?\d{1,10}|0[xX][\da-fA-F]{1,8})$/.test(text)) return null;
  const number = Number(text);
  return number >= -0x80000000 && number <= 0xffffffff ? number | 0 : null;
}

/** A truth value, references followed and text read; null when it is none. */
export function resolveBoolean(table: ResourceTable, value: ResourceValue | null): boolean | null {
  const resolved = resolveValue(table, value);
  if (resolved?.type === "boolean") return resolved.value;
  if (resolved?.type === "integer") return resolved.value !== 0;
  if (resolved?.type === "string")
    return resolved.value === "true" || resolved.value === "TRUE" || resolved.value === "1";
  return null;
}

/**
 * A pool of strings (ResStringPool, ResourceTypes.h), read one by one when asked for: a table of a large app holds many
 * thousands of which a handful matter.
 */
export class StringPool {
  readonly #data: LittleEndian;
  readonly #offsets: number;
  readonly #count: number;
  readonly #start: number;
  readonly #utf8: boolean;

  /** @param chunk the whole chunk with its header; one that is cut short yields no strings beyond its end */
  constructor(chunk: Uint8Array) {
    this.#data = new LittleEndian(chunk);
    this.#offsets = this.#data.u16(2);
    this.#start = this.#data.u32(20);
    this.#utf8 = (this.#data.u32(16) & 0x100) !== 0;
    // As on Android, more strings than there is room for their offsets are not believed.
    const room = Math.max(0, Math.floor((chunk.length - this.#offsets) / 4));
    this.#count = Math.min(this.#data.u32(8), room);
  }

  /** The string at `index`, or null where there is none or it is damaged. */
  at(index: number): string | null {
    if (index >= this.#count) return null;
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
    return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(this.#data.slice(start, 2 * units));
  }

  #utf8At(offset: number): string {
    // First the length in UTF-16 units, then the one in bytes, each in one byte or two.
    let start = offset + (this.#data.u8(offset) & 0x80 ? 2 : 1);
    let length = this.#data.u8(start++);
    if (length & 0x80) length = ((length & 0x7f) << 8) | this.#data.u8(start++);
    // aapt wrote lengths of 32,768 and more without their upper bits: the string goes on until its NUL.
    while (start + length < this.#data.length && this.#data.u8(start + length) !== 0) length += 0x8000;
    return decodeModifiedUtf8(this.#data.slice(start, Math.min(length, this.#data.length - start)));
  }
}

/** UTF-8 as Android writes it: also with surrogates as three bytes each (CESU-8) and NUL as C0 80; damage is U+FFFD. */
export function decodeModifiedUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not plain UTF-8: each unit by hand below.
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
