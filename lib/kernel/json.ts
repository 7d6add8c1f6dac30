import { type ApiError, invalidField } from "@/lib/kernel/errors";

/** Objects and lists within each other; no input needs half as many. */
export const MAX_JSON_DEPTH = 16;
/** Members of one object; the largest is a release's metadata with 50. */
export const MAX_JSON_KEYS = 100;
/** Values in all, however nested; the largest input is the list of an upload's 10,000 parts, with 3 values each. */
export const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The position of the quotation mark that ends a string, or the text's length where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

function tooMany(limit: number): ApiError {
  return invalidField("", "tooManyFields", { limit });
}

/**
 * Refuses a text with more structure than an input can have, in one pass that allocates nothing: parsing and validating
 * cost a hundred times as much per key. Says nothing of whether the text is JSON.
 * @throws ApiError validation_failed
 */
function requireBounded(text: string): void {
  // The keys of each object that is open, the innermost last; a list is an object without keys.
  const keys: number[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (keys.push(0) > MAX_JSON_DEPTH) throw invalidField("", "invalid");
        values += 1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        keys.pop();
        break;
      case COLON: {
        const count = (keys.pop() ?? 0) + 1;
        if (count > MAX_JSON_KEYS) throw tooMany(MAX_JSON_KEYS);
        keys.push(count);
        break;
      }
      case COMMA:
        values += 1;
        break;
    }
    if (values > MAX_JSON_VALUES) throw tooMany(MAX_JSON_VALUES);
  }
}

/**
 * Parses JSON from outside, of any shape within the limits above.
 * @throws ApiError validation_failed where it exceeds them; SyntaxError where it is no JSON
 */
export function parseJson(text: string): unknown {
  requireBounded(text);
  return JSON.parse(text);
}
