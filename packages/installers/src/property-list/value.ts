import { MAX_PLIST_BYTES, MAX_PLIST_DEPTH, MAX_PLIST_OBJECTS } from "../limits";

/** A value of a property list. An integer beyond 2^53 is a bigint. */
export type PlistValue = string | number | bigint | boolean | Date | Uint8Array | PlistValue[] | PlistDictionary;

/** A dictionary; a Map, because keys such as `__proto__` have a meaning in an object. */
export type PlistDictionary = Map<string, PlistValue>;

/** A property list that is malformed or beyond the limits. */
export class PlistError extends Error {
  override readonly name = "PlistError";
}

/** Limits the objects, the nesting and the contents of a list after its references are expanded. */
export class PlistBudget {
  private objects = 0;
  private depth = 0;
  private bytes = 0;

  /** Counts a container, and one level of nesting while `read` reads its members. */
  container<T>(read: () => T): T {
    this.object();
    if (++this.depth > MAX_PLIST_DEPTH) throw new PlistError("nested too deeply");
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  /** Counts an object. */
  object(): void {
    if (++this.objects > MAX_PLIST_OBJECTS) throw new PlistError("too many objects");
  }

  /** Counts the bytes of a text or data, which in an intact list do not overlap those of another one. */
  contents(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_PLIST_BYTES) throw new PlistError("overlapping objects");
  }
}

/** An integer as a number if that is exact. */
export function exactInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Returns the date.
 * @throws PlistError for an invalid date
 */
export function validDate(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new PlistError("no date");
  return date;
}
