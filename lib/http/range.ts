/** What a request may ask about one file's state (RFC 9110, sections 13 and 14). */
interface Representation {
  /** Bytes. */
  size: number;
  /** A strong entity tag, in its quotation marks. */
  etag: string;
  lastModified?: Date;
}

/** How a GET or HEAD for a file must be answered; `start` and `end` are both inclusive. */
type RangeDecision =
  | { status: 200 }
  | { status: 206; start: number; end: number }
  | { status: 304 }
  | { status: 412 }
  | { status: 416 };

const ENTITY_TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Whole seconds, which is all that an HTTP date says. */
function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** An HTTP date of any of the three forms (RFC 9110, section 5.6.7) in seconds, or undefined if it is none. */
function parseHttpDate(value: string): number | undefined {
  // Date.parse takes much else; every form of an HTTP date begins with the name of a day.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(value)) return undefined;
  // The oldest form does not name its zone and would be taken for local time.
  const time = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/**
 * Whether a list of entity tags names this one; `*` names any. A weak comparison looks past `W/`.
 * @param etag in its quotation marks, without `W/`
 */
export function namesEtag(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  // Our tags hold no comma, so that a tag which does is split into pieces that match nothing.
  return list
    .split(",")
    .map((tag) => tag.trim())
    .some((tag) => tag === etag || (comparison === "weak" && tag === `W/${etag}`));
}

/**
 * Reads a Range header for a file of `size` bytes (RFC 9110, section 14.1.2).
 * @returns the range, cut to the file; `unsatisfiable` if none of it is there; `whole` where the header asks for
 *   several ranges or in another unit or is malformed, which the RFC lets a server ignore
 */
export function parseRange(header: string, size: number): { start: number; end: number } | "whole" | "unsatisfiable" {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header);
  if (!match) return "whole";
  const [first, last] = [match[1], match[2]] as [string, string];
  if (first === "") {
    if (last === "") return "whole";
    const length = Number(last);
    if (length === 0) return "unsatisfiable";
    return size === 0 ? "whole" : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return "whole";
  return start >= size ? "unsatisfiable" : { start, end: Math.min(end, size - 1) };
}

/** Whether the Range header still means this file (RFC 9110, section 13.1.5). */
function ifRangeHolds(value: string, file: Representation): boolean {
  if (ENTITY_TAG.test(value)) return value === file.etag;
  const date = parseHttpDate(value);
  return date !== undefined && file.lastModified !== undefined && date === seconds(file.lastModified);
}

/**
 * Decides by the conditional headers, in the order of RFC 9110, section 13.2.2, and by Range, which counts for GET
 * alone.
 */
export function decideRange(method: string, headers: Headers, file: Representation): RangeDecision {
  const ifMatch = headers.get("if-match");
  const ifUnmodifiedSince = headers.get("if-unmodified-since");
  if (ifMatch !== null) {
    if (!namesEtag(ifMatch, file.etag, "strong")) return { status: 412 };
  } else if (ifUnmodifiedSince !== null && file.lastModified) {
    const date = parseHttpDate(ifUnmodifiedSince);
    if (date !== undefined && seconds(file.lastModified) > date) return { status: 412 };
  }

  const ifNoneMatch = headers.get("if-none-match");
  const ifModifiedSince = headers.get("if-modified-since");
  if (ifNoneMatch !== null) {
    if (namesEtag(ifNoneMatch, file.etag, "weak")) return { status: 304 };
  } else if (ifModifiedSince !== null && file.lastModified) {
    const date = parseHttpDate(ifModifiedSince);
    if (date !== undefined && seconds(file.lastModified) <= date) return { status: 304 };
  }

  const range = headers.get("range");
  const ifRange = headers.get("if-range");
  if (method !== "GET" || range === null || (ifRange !== null && !ifRangeHolds(ifRange, file))) return { status: 200 };
  const parsed = parseRange(range, file.size);
  if (parsed === "whole") return { status: 200 };
  return parsed === "unsatisfiable" ? { status: 416 } : { status: 206, ...parsed };
}
