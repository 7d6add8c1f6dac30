import { LittleEndian, OverrunError } from "../../encoding/little-endian";
import {
  decodeResValue,
  type ResourceCandidate,
  type ResourceConfig,
  type ResourceReference,
  type ResourceTable,
  SearchBudget,
  StringPool,
} from "./resource-table";

const STRING_POOL = 0x0001;
const TABLE = 0x0002;
const PACKAGE = 0x0200;
const TYPE = 0x0201;

const CHUNK_HEADER_SIZE = 8;
const TYPE_HEADER_SIZE = 20;
const MAX_CHUNKS = 200_000;
/** The cost of looking up an entry in a chunk, in bytes. */
const SEARCH_COST = 16;

const FLAG_SPARSE = 0x01;
const FLAG_OFFSET16 = 0x02;
const ENTRY_COMPLEX = 0x0001;
const ENTRY_COMPACT = 0x0008;
const NO_ENTRY = 0xffffffff;
const NO_ENTRY_16 = 0xffff;

/** Bytes that are not a resource table. */
export class ResourceTableError extends Error {
  override readonly name = "ResourceTableError";
}

/** The values of one resource type in one configuration. */
interface TypeChunk {
  data: LittleEndian;
  headerSize: number;
  config: ResourceConfig;
}

/**
 * Opens a binary resource table (resources.arsc: ResTable_header, ResourceTypes.h). Only the list of chunks is read at
 * first; strings and entries are decoded on demand, so that a table of many megabytes costs little. Plain, sparse,
 * compact and 16-bit-offset entries are supported; packages with the same id (overlays, split tables) are merged.
 * @throws ResourceTableError when it is not a table, or a chunk exceeds its parent
 */
export function parseResourceTable(bytes: Uint8Array): ResourceTable {
  try {
    return new BinaryResourceTable(bytes);
  } catch (error) {
    if (error instanceof OverrunError) throw new ResourceTableError(error.message);
    throw error;
  }
}

class BinaryResourceTable implements ResourceTable {
  #strings: StringPool | null = null;
  /** By `(package << 8) | type`. */
  readonly #types = new Map<number, TypeChunk[]>();
  readonly #budget = new SearchBudget();
  #firstPackage = 0;
  #chunks = 0;

  constructor(bytes: Uint8Array) {
    const data = new LittleEndian(bytes);
    if (data.u16(0) !== TABLE) throw new ResourceTableError("not a resource table");
    for (const chunk of this.#children(new LittleEndian(data.slice(0, data.u32(4))), data.u16(2))) {
      if (chunk.type === STRING_POOL) this.#strings ??= new StringPool(chunk.bytes);
      else if (chunk.type === PACKAGE) this.#readPackage(chunk.bytes, chunk.headerSize);
    }
  }

  candidates(reference: ResourceReference): ResourceCandidate[] {
    const { id } = reference;
    // The package of a dynamic reference is 0.
    const packageId = id >>> 24 || this.#firstPackage;
    const found: ResourceCandidate[] = [];
    for (const chunk of this.#types.get((packageId << 8) | ((id >>> 16) & 0xff)) ?? []) {
      if (!this.#budget.spend(SEARCH_COST)) break;
      try {
        const value = this.#entry(chunk, id & 0xffff);
        if (value) found.push({ config: chunk.config, value });
      } catch (error) {
        // A damaged entry does not affect the others.
        if (!(error instanceof OverrunError)) throw error;
      }
    }
    return found;
  }

  *#children(data: LittleEndian, start: number): Generator<{ type: number; headerSize: number; bytes: Uint8Array }> {
    for (let at = start; at + CHUNK_HEADER_SIZE <= data.length; ) {
      const headerSize = data.u16(at + 2);
      const size = data.u32(at + 4);
      if (headerSize < CHUNK_HEADER_SIZE || headerSize > size || ++this.#chunks > MAX_CHUNKS) {
        throw new ResourceTableError(`a chunk at ${at} has impossible sizes`);
      }
      yield { type: data.u16(at), headerSize, bytes: data.slice(at, size) };
      at += size;
    }
  }

  #readPackage(bytes: Uint8Array, headerSize: number): void {
    const data = new LittleEndian(bytes);
    const packageId = data.u32(8) & 0xff;
    this.#firstPackage ||= packageId;
    for (const chunk of this.#children(data, headerSize)) {
      if (chunk.type !== TYPE || chunk.headerSize < TYPE_HEADER_SIZE) continue;
      const type = new LittleEndian(chunk.bytes);
      const key = (packageId << 8) | type.u8(8);
      const listed = this.#types.get(key) ?? [];
      listed.push({ data: type, headerSize: chunk.headerSize, config: readConfig(type, chunk.headerSize) });
      this.#types.set(key, listed);
    }
  }

  #entry({ data, headerSize }: TypeChunk, index: number): ResourceCandidate["value"] | null {
    const offset = entryOffset(data, headerSize, index);
    if (offset === null) return null;
    const at = data.u32(16) + offset;
    const flags = data.u16(at + 2);
    const stringAt = (string: number) => this.#strings?.at(string) ?? null;
    if (flags & ENTRY_COMPACT) return decodeResValue(flags >> 8, data.u32(at + 4), stringAt);
    if (flags & ENTRY_COMPLEX) return null;
    const value = at + data.u16(at);
    return decodeResValue(data.u8(value + 3), data.u32(value + 4), stringAt);
  }
}

/** The offset of an entry from `entriesStart` of its chunk; null when this configuration has no such entry. */
function entryOffset(data: LittleEndian, headerSize: number, index: number): number | null {
  const flags = data.u8(9);
  const count = data.u32(12);
  if (flags & FLAG_SPARSE) {
    // Pairs of index and offset / 4, sorted by index.
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const at = headerSize + 4 * middle;
      const found = data.u16(at);
      if (found === index) return 4 * data.u16(at + 2);
      if (found < index) low = middle + 1;
      else high = middle;
    }
    return null;
  }
  if (index >= count) return null;
  if (flags & FLAG_OFFSET16) {
    const offset = data.u16(headerSize + 2 * index);
    return offset === NO_ENTRY_16 ? null : 4 * offset;
  }
  const offset = data.u32(headerSize + 4 * index);
  return offset === NO_ENTRY ? null : offset;
}

/** Reads a ResTable_config. Older tables have fewer fields; missing ones are unset. */
function readConfig(data: LittleEndian, headerSize: number): ResourceConfig {
  const start = TYPE_HEADER_SIZE;
  const available = Math.max(0, Math.min(headerSize - start, data.length - start));
  const size = available < 4 ? 0 : Math.min(data.u32(start), available);
  const u8 = (at: number) => (at + 1 <= size ? data.u8(start + at) : 0);
  const u16 = (at: number) => (at + 2 <= size ? data.u16(start + at) : 0);
  const language = localeCode(u8(8), u8(9), 0x61);
  const region = localeCode(u8(10), u8(11), 0x30);
  const orientation = u8(12);
  const screenSize = u8(28) & 0x0f;
  const uiType = u8(29) & 0x0f;
  const night = (u8(29) & 0x30) === 0x20;
  const smallestWidth = u16(30);
  return {
    locale: region ? `${language}-${region}` : language,
    density: u16(14),
    sdkVersion: u16(24),
    special:
      u16(4) !== 0 ||
      u16(6) !== 0 ||
      orientation > 1 ||
      screenSize > 2 ||
      uiType > 1 ||
      night ||
      smallestWidth > 360 ||
      (u8(28) & 0xc0) === 0x80,
  };
}

/** A language or region of two letters, or of three in fifteen bits (ResTable_config::unpackLanguageOrRegion). */
function localeCode(first: number, second: number, base: number): string {
  if (first === 0) return "";
  if (!(first & 0x80)) return String.fromCharCode(first, second);
  return String.fromCharCode(
    base + (second & 0x1f),
    base + (((second & 0xe0) >> 5) | ((first & 0x03) << 3)),
    base + ((first & 0x7c) >> 2),
  );
}
