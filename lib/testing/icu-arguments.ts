/** The arguments and tags of an ICU message: name → `plain`, `number`, `date`, `plural`, `select`, …; `<name>` → `tag`. */
export type IcuArguments = Record<string, string>;

/**
 * Finds the arguments and tags of an ICU message, in all of its branches.
 *
 * @param message an ICU MessageFormat text with next-intl's rich-text tags
 * @throws Error if braces do not match
 */
export function icuArguments(message: string): IcuArguments {
  const found: IcuArguments = {};
  readText(message.replaceAll(/'[{}<>][^']*'/g, ""), 0, found, 0);
  for (const [, tag] of message.matchAll(/<([a-zA-Z]\w*)>/g)) found[`<${tag}>`] = "tag";
  return found;
}

/** Reads text up to its closing brace. @returns the position after it */
function readText(text: string, start: number, found: IcuArguments, depth: number): number {
  let at = start;
  while (at < text.length) {
    if (text[at] === "{") at = readArgument(text, at + 1, found, depth);
    else if (text[at] === "}") {
      if (depth === 0) throw new Error(`an unexpected closing brace: ${text}`);
      return at + 1;
    } else at += 1;
  }
  if (depth > 0) throw new Error(`a brace is not closed: ${text}`);
  return at;
}

function readArgument(text: string, start: number, found: IcuArguments, depth: number): number {
  const head = /^\s*(\w+)\s*(?:,\s*(\w+)\s*)?/.exec(text.slice(start));
  if (!head) throw new Error(`an argument without a name: ${text}`);
  const [whole, name = "", type = "plain"] = head;
  // An argument can occur several times, as in `{n, plural, other {{n} of …}}`. The more specific type counts.
  if (found[name] === undefined || found[name] === "plain") found[name] = type;
  let at = start + whole.length;
  while (at < text.length) {
    if (text[at] === "{") at = readText(text, at + 1, found, depth + 1);
    else if (text[at] === "}") return at + 1;
    else at += 1;
  }
  throw new Error(`a brace is not closed: ${text}`);
}
