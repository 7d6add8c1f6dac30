/** A value of a property list. Integers beyond 2^53 are bigints, data are bytes. */
export type PlistValue = string | number | bigint | boolean | Date | Uint8Array | PlistValue[] | PlistDictionary;

/** A dictionary; a Map, so that no key of a hostile file means anything to the language. */
export type PlistDictionary = Map<string, PlistValue>;

/** A list that breaks its format's rules or our limits. */
export class PlistError extends Error {
  override readonly name = "PlistError";
}

const MAX_OBJECTS = 100_000;
const MAX_DEPTH = 64;

/** Counts what a list unfolds to, so that neither deep nesting nor shared references can exhaust the reader. */
export class PlistBudget {
  private objects = 0;
  private depth = 0;

  /** Counts one object and, for a container, one level of nesting while its members are read. */
  container<T>(read: () => T): T {
    this.object();
    if (++this.depth > MAX_DEPTH) throw new PlistError("nested too deeply");
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  object(): void {
    if (++this.objects > MAX_OBJECTS) throw new PlistError("too many objects");
  }
}

/** An integer as a number where that is exact. */
export function exactInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A date, refused where it is none. */
export function validDate(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new PlistError("no date");
  return date;
}
