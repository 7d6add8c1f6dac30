import { type ApiError, invalidField } from "@/lib/kernel/errors";

/** The maximum nesting of objects and arrays, more than twice what any input needs. */
export const MAX_JSON_DEPTH = 16;
/** The maximum number of members of one object. The largest input is a release's metadata with 50. */
export const MAX_JSON_KEYS = 100;
/** The maximum number of values in total. The largest input is the list of an upload's 10,000 parts, with 3 values each. */
export const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Returns the position of the closing quotation mark of a string, or the length of the text if there is none. */
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
 * Checks the limits in one pass without allocations, since parsing and validating cost a hundred times as much per key. Does
 * not check whether the text is valid JSON.
 * @throws ApiError validation_failed
 */
function requireBounded(text: string): void {
  // The number of keys of each open object, the innermost last. An array counts as an object without keys.
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
 * Parses the JSON of a request, within the limits above.
 * @throws ApiError validation_failed if it exceeds them; SyntaxError if it is not valid JSON
 */
export function parseJson(text: string): unknown {
  requireBounded(text);
  return JSON.parse(text);
}
