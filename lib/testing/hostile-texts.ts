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

/** Lists of people or devices, as CSV and with tabs. */
export const HOSTILE_LISTS = {
  "quotation marks": repeated('"'),
  "quotation marks after a letter": repeated('"', { before: "a" }),
  "quotation marks after spaces": repeated(' "', { before: "a" }),
  "quotes that do not end": repeated("\n", { before: '"' }),
  "empty quotes": repeated('"" '),
  commas: repeated(","),
  "rows of commas": repeated(",\n"),
  semicolons: repeated(";"),
  tabs: repeated("\t"),
  "rows of tabs": repeated("\t\n"),
  spaces: repeated(" ", { after: "x" }),
  "line breaks": repeated("\n"),
  "carriage returns": repeated("\r"),
  "rows that cannot be read": repeated("x\n"),
  "rows without a domain": repeated("a@b\n"),
  "labels of a domain": repeated("b.", { before: "a@" }),
  "rows of emails": numbered((index) => `a${index}@example.com\n`),
  "rows of devices": numbered((index) => `00008110-${String(index).padStart(16, "0")}\tiPhone ${index}\tios\n`),
  "equal devices": repeated("00008110-001234567890ABCD\tiPhone\n"),
  "a header": repeated(" ", { before: "device id" }),
} satisfies HostileTexts;

const REPORT = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n";
const STATUS = `${REPORT}--b\nContent-Type: message/delivery-status\n\nx`;
const RETURNED = "\n--b\nContent-Type: message/rfc822\n\nMessage-ID: <a>\n\n--b--";

/** Mails that came back. */
export const HOSTILE_MAILS = {
  fields: numbered((index) => `h${index}: x\n`),
  "equal fields": repeated("a: b\n"),
  "fields that go on": repeated("\n ", { before: "a: b" }),
  "line breaks": repeated("\r\n"),
  "carriage returns": repeated("\r"),
  colons: repeated(":"),
  parameters: repeated(";a=b", { before: "Content-Type: multipart/report", after: "\n\n" }),
  "quotation marks": repeated('"', { before: "Content-Type: multipart/report; boundary=", after: "\n\n" }),
  boundaries: repeated("\n--b", { before: REPORT }),
  recipients: repeated("\n\na: b", { before: STATUS, after: RETURNED }),
  "line breaks between recipients": repeated("\n", { before: STATUS, after: RETURNED }),
  "angle brackets": repeated("<", {
    before: `${STATUS}\n\nAction: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822;`,
    after: RETURNED,
  }),
} satisfies HostileTexts;

/** Property lists as text. */
export const HOSTILE_PLISTS = {
  arrays: repeated("<array>", { before: "<plist>" }),
  "empty arrays": repeated("<array/>", { before: "<plist><array>" }),
  dictionaries: repeated("<dict><key>a</key>", { before: "<plist>" }),
  keys: repeated("<key>a</key><true/>", { before: "<plist><dict>" }),
  references: repeated("&amp;", { before: "<plist><string>", after: "</string></plist>" }),
  comments: repeated("<!-- -->", { before: "<plist>" }),
  sections: repeated("<![CDATA[]]>", { before: "<plist><string>" }),
  instructions: repeated("<??>"),
  attributes: repeated(" a=''", { before: "<plist" }),
  "spaces in a tag": repeated(" ", { before: "<plist" }),
  spaces: repeated(" ", { before: "<plist>" }),
  digits: repeated("1", { before: "<plist><integer>", after: "</integer></plist>" }),
  base64: repeated(" A", { before: "<plist><data>", after: "</data></plist>" }),
  "opening braces": repeated("{"),
  "opening parentheses": repeated("("),
  "pairs of text": repeated("a=b;"),
  "comments of text": repeated("/**/"),
  "slashes and asterisks": repeated("/*"),
  backslashes: repeated("\\\\", { before: '"' }),
  "open quotes": repeated('"'),
  "hexadecimal digits": repeated("a ", { before: "<", after: ">" }),
} satisfies HostileTexts;
