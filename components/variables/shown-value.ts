/** The longest value that a list contains whole, in characters. */
const MAX_WHOLE = 2000;

/** The longest beginning of a value that a list shows, in characters. */
const MAX_SHOWN = 120;

/**
 * What a list contains of a value.
 * @returns its beginning on one line; the value itself, undefined if it is too long for a list
 */
export function shownValue(value: string): { text: string; wholeValue: string | undefined } {
  const [firstLine = ""] = value.split(/\r\n|[\r\n]/, 1);
  return {
    text: [...firstLine.slice(0, MAX_SHOWN * 2)].slice(0, MAX_SHOWN).join(""),
    wholeValue: value.length <= MAX_WHOLE ? value : undefined,
  };
}
