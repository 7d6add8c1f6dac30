import { viewOf } from "../encoding/bytes";
import { exactInteger, type PlistBudget, type PlistDictionary, PlistError, type PlistValue, validDate } from "./value";

const HEADER_SIZE = 8;
const TRAILER_SIZE = 32;
/** Dates count seconds from 2001-01-01T00:00:00Z. */
const REFERENCE_DATE = Date.UTC(2001, 0, 1);

/**
 * Parses a binary property list (CFBinaryPList.c of Core Foundation). Each reference that is followed counts against the
 * budget, so that cyclic lists and exponential expansion are refused.
 * @throws PlistError
 */
export function parseBinaryPlist(bytes: Uint8Array, budget: PlistBudget): PlistValue {
  return new BinaryReader(bytes, budget).root();
}

class BinaryReader {
  private readonly view: DataView;
  private readonly offsetSize: number;
  private readonly referenceSize: number;
  private readonly objectCount: number;
  private readonly tableOffset: number;
  private readonly rootReference: number;
  /** Scalars, which many containers share. Containers are read again for each reference, so that each counts. */
  private readonly scalars = new Map<number, PlistValue>();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly budget: PlistBudget,
  ) {
    this.view = viewOf(bytes);
    const trailer = bytes.length - TRAILER_SIZE;
    if (trailer < HEADER_SIZE) throw new PlistError("no trailer");
    this.offsetSize = this.view.getUint8(trailer + 6);
    this.referenceSize = this.view.getUint8(trailer + 7);
    if (!isIntegerSize(this.offsetSize) || !isIntegerSize(this.referenceSize)) throw new PlistError("bad trailer");
    this.objectCount = this.unsigned(trailer + 8, 8);
    this.rootReference = this.unsigned(trailer + 16, 8);
    this.tableOffset = this.unsigned(trailer + 24, 8);
    if (this.tableOffset < HEADER_SIZE || this.tableOffset + this.objectCount * this.offsetSize > trailer) {
      throw new PlistError("bad offset table");
    }
  }

  root(): PlistValue {
    return this.object(this.rootReference);
  }

  private object(reference: number): PlistValue {
    const known = this.scalars.get(reference);
    if (known !== undefined) {
      this.budget.object();
      return known;
    }
    if (reference >= this.objectCount) throw new PlistError("reference beyond the table");
    const at = this.unsigned(this.tableOffset + reference * this.offsetSize, this.offsetSize);
    if (at < HEADER_SIZE) throw new PlistError("object in the header");
    const marker = this.range(at, 1)[0] as number;
    const kind = marker >> 4;
    if (kind === 0xa || kind === 0xb || kind === 0xc) return this.budget.container(() => this.array(at));
    if (kind === 0xd) return this.budget.container(() => this.dictionary(at));
    this.budget.object();
    const scalar = this.scalar(marker, at);
    this.scalars.set(reference, scalar);
    return scalar;
  }

  private scalar(marker: number, at: number): PlistValue {
    switch (marker >> 4) {
      case 0x0:
        if (marker === 0x08) return false;
        if (marker === 0x09) return true;
        throw new PlistError("unknown object");
      case 0x1:
        return this.integer(at + 1, 1 << (marker & 0x0f));
      case 0x2:
        return this.real(at + 1, 1 << (marker & 0x0f));
      case 0x3:
        if (marker !== 0x33) throw new PlistError("unknown date");
        return validDate(new Date(REFERENCE_DATE + this.real(at + 1, 8) * 1000));
      case 0x4: {
        const { count, start } = this.counted(at);
        return new Uint8Array(this.contents(start, count));
      }
      case 0x5: {
        const { count, start } = this.counted(at);
        return new TextDecoder("windows-1252").decode(this.contents(start, count));
      }
      case 0x6: {
        const { count, start } = this.counted(at);
        return new TextDecoder("utf-16be", { ignoreBOM: true }).decode(this.contents(start, count * 2));
      }
      case 0x7: {
        const { count, start } = this.counted(at);
        return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.contents(start, count));
      }
      default:
        throw new PlistError("unknown object");
    }
  }

  private contents(start: number, length: number): Uint8Array {
    const bytes = this.range(start, length);
    this.budget.contents(length);
    return bytes;
  }

  private array(at: number): PlistValue[] {
    const { count, start } = this.counted(at);
    return this.references(start, count).map((reference) => this.object(reference));
  }

  private dictionary(at: number): PlistDictionary {
    const { count, start } = this.counted(at);
    const references = this.references(start, count * 2);
    const dictionary: PlistDictionary = new Map();
    for (let index = 0; index < count; index++) {
      const key = this.object(references[index] as number);
      if (typeof key !== "string") throw new PlistError("a key is not a string");
      const value = this.object(references[count + index] as number);
      if (!dictionary.has(key)) dictionary.set(key, value); // Core Foundation keeps the first of duplicate keys
    }
    return dictionary;
  }

  private references(start: number, count: number): number[] {
    this.range(start, count * this.referenceSize);
    return Array.from({ length: count }, (_, index) =>
      this.unsigned(start + index * this.referenceSize, this.referenceSize),
    );
  }

  /** The count in the marker of an object, or in the integer after it, and the offset of the contents. */
  private counted(at: number): { count: number; start: number } {
    const nibble = (this.range(at, 1)[0] as number) & 0x0f;
    if (nibble !== 0x0f) return { count: nibble, start: at + 1 };
    const marker = this.range(at + 1, 1)[0] as number;
    const size = 1 << (marker & 0x0f);
    if (marker >> 4 !== 0x1 || size > 8) throw new PlistError("bad count");
    return { count: this.unsigned(at + 2, size), start: at + 2 + size };
  }

  private integer(at: number, size: number): number | bigint {
    this.range(at, size);
    if (size < 8) return this.unsigned(at, size);
    if (size === 8) return exactInteger(this.view.getBigInt64(at));
    if (size === 16) return exactInteger((this.view.getBigInt64(at) << 64n) | this.view.getBigUint64(at + 8));
    throw new PlistError("bad integer");
  }

  private real(at: number, size: number): number {
    this.range(at, size);
    if (size === 4) return this.view.getFloat32(at);
    if (size === 8) return this.view.getFloat64(at);
    throw new PlistError("bad real");
  }

  private unsigned(at: number, size: number): number {
    let value = 0;
    for (const byte of this.range(at, size)) value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) throw new PlistError("number too large");
    return value;
  }

  private range(at: number, length: number): Uint8Array {
    const end = at + length;
    if (!Number.isSafeInteger(end) || end > this.bytes.length) throw new PlistError("beyond the end");
    return this.bytes.subarray(at, end);
  }
}

function isIntegerSize(size: number): boolean {
  return size >= 1 && size <= 8;
}
