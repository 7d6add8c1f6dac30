/** Texts that cost a careless parser most, by what they repeat, for a size in characters. */
export type HostileTexts = Readonly<Record<string, (size: number) => string>>;

const repeated =
  (part: string, { before = "", after = "" } = {}) =>
  (size: number): string =>
    before + part.repeat(Math.floor(size / part.length)).slice(0, size - before.length - after.length) + after;

/** A text of numbered parts. */
const numbered =
  (part: (index: number) => string, before = "") =>
  (size: number): string => {
    const parts = [before];
    for (let length = before.length, index = 0; ; index += 1) {
      const next = part(index);
      length += next.length;
      if (length > size) return parts.join("");
      parts.push(next);
    }
  };

export const HOSTILE_YAML = {
  anchors: repeated("&a "),
  "anchors of values": numbered((index) => `K${index}: &a${index} 1\n`),
  commas: repeated(",", { before: "{" }),
  "commas in a list": repeated(",", { before: "[" }),
  "opening brackets": repeated("["),
  "opening braces": repeated("{"),
  "pairs of brackets": repeated("[]"),
  "closing braces and line breaks": repeated("}\n"),
  aliases: repeated("*a,", { before: "x: &a 1\ny: [", after: "]" }),
  "aliases without anchors": repeated("*a "),
  tags: repeated("!a "),
  "tags of values": numbered((index) => `K${index}: !!str 1\n`),
  "question marks": repeated("? "),
  "question marks and line breaks": repeated("?\n"),
  hyphens: repeated("- "),
  colons: repeated(": "),
  documents: repeated("---\n"),
  "block scalars": repeated("a: |\n"),
  "open quotes": repeated("'\n"),
  "backslashes in quotes": repeated("\\\\", { before: '"', after: '"' }),
  "deeper lines": numbered((index) => `${" ".repeat(index)}a:\n`),
  "merge keys": repeated("<<: *a\n", { before: "a: &a 1\n" }),
  comments: repeated("#\n"),
  spaces: repeated(" "),
  "line breaks": repeated("\n"),
  tabs: repeated("\t"),
  directives: repeated("%A\n"),
  "equal keys": repeated("A: 1\n"),
} satisfies HostileTexts;

export const HOSTILE_DOTENV = {
  "single quotes": repeated("'", { before: "A=" }),
  "open quotes": repeated("A='\n"),
  "open quotes of three kinds": repeated("A='\nB=\"\nC=`\n"),
  "double quotes": repeated('A="\n'),
  backslashes: repeated("\\", { before: 'A="' }),
  "escaped quotes": repeated('\\"', { before: 'A="' }),
  spaces: repeated(" ", { before: "A" }),
  "export and spaces": repeated(" ", { before: "export", after: "!" }),
  "number signs": repeated("#", { before: "A=" }),
  "spaces and number signs": repeated(" #", { before: "A=x" }),
  "carriage returns": repeated("\r", { before: "A=", after: "x" }),
  "lines without a value": repeated("A=\n"),
  "lines that cannot be read": repeated("?\n"),
  "line breaks": repeated("\n"),
  "text after quotes": repeated("A='' x\n"),
} satisfies HostileTexts;

export const HOSTILE_JSON = {
  "opening brackets": repeated("["),
  "nested objects": repeated('{"a":'),
  "nested lists as a value": (size) => {
    const depth = Math.floor(size / 2) - 5;
    return `{"A":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  },
  "empty objects": repeated("{},", { before: '{"A":[', after: "{}]}" }),
  "escaped quotes": (size) => `{"A":"${'\\"'.repeat(Math.floor(size / 2) - 5)}"}`,
  commas: repeated(",", { before: "{" }),
  "line breaks": repeated("\n", { before: "{", after: "}" }),
  members: (size) => `${numbered((index) => `"K${index}":"",`, "{")(size - 8)}"Z":""}`,
} satisfies HostileTexts;

/** The hostile texts of each format of an import. */
export const HOSTILE_IMPORTS = { yaml: HOSTILE_YAML, dotenv: HOSTILE_DOTENV, json: HOSTILE_JSON } as const;

export const HOSTILE_MARKDOWN = {
  "opening brackets": repeated("["),
  "closing brackets": repeated("]"),
  "pairs of brackets": repeated("[]"),
  "links in links": repeated("[a]("),
  quotes: repeated("> "),
  "quotes and line breaks": repeated(">\n"),
  asterisks: repeated("*"),
  "asterisks and letters": repeated("*a_ "),
  "asterisks and underscores": repeated("a**b_"),
  "open emphasis": repeated("*a **a "),
  backticks: numbered((index) => `${"`".repeat(index + 1)} `),
  backslashes: repeated("\\"),
  "angle brackets": repeated("<a "),
  "exclamation marks": repeated("!["),
  references: repeated("[a]: b\n"),
  lists: numbered((index) => `${"  ".repeat(index)}- a\n`),
  "hyphens and line breaks": repeated("-\n"),
  addresses: repeated("http://a.b/ "),
  "beginnings of addresses": repeated("http://"),
  "entities without an end": repeated("&a"),
  tildes: repeated("~"),
  "quotation marks": repeated(`"'`),
  spaces: repeated(" ", { before: "a", after: "b" }),
} satisfies HostileTexts;
