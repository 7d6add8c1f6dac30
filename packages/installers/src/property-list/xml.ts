import { exactInteger, type PlistBudget, type PlistDictionary, PlistError, type PlistValue, validDate } from "./value";

const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Parses an XML property list (Apple's PropertyList-1.0.dtd). Apple's DOCTYPE line is skipped; one with declarations is
 * refused, and so is any entity other than the five of XML and character references.
 * @throws PlistError
 */
export function parseXmlPlist(text: string, budget: PlistBudget): PlistValue {
  return new XmlReader(text, budget).root();
}

interface Tag {
  name: string;
  closing: boolean;
  empty: boolean;
}

class XmlReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly budget: PlistBudget,
  ) {}

  root(): PlistValue {
    this.prolog();
    const tag = this.tag();
    const value = tag.name === "plist" && !tag.closing && !tag.empty ? this.plist() : this.value(tag);
    this.skipMisc();
    if (this.at < this.text.length && /[^\0]/.test(this.text.slice(this.at)))
      throw new PlistError("text after the list");
    return value;
  }

  private plist(): PlistValue {
    const value = this.value(this.nextTag());
    this.expectEnd("plist");
    return value;
  }

  private value(tag: Tag): PlistValue {
    if (tag.closing) throw new PlistError(`unexpected </${tag.name}>`);
    switch (tag.name) {
      case "dict":
        return this.budget.container(() => this.dictionary(tag));
      case "array":
        return this.budget.container(() => this.array(tag));
    }
    this.budget.object();
    const text = tag.empty ? "" : this.content(tag.name);
    switch (tag.name) {
      case "string":
        return text;
      case "integer":
        return integer(text.trim());
      case "real":
        return real(text.trim());
      case "true":
      case "false":
        if (text.trim() !== "") throw new PlistError("text in a boolean");
        return tag.name === "true";
      case "date":
        return date(text.trim());
      case "data":
        return data(text);
      default:
        throw new PlistError("unknown element");
    }
  }

  private array(tag: Tag): PlistValue[] {
    const values: PlistValue[] = [];
    if (tag.empty) return values;
    for (let next = this.nextTag(); !isEndOf(next, "array"); next = this.nextTag()) values.push(this.value(next));
    return values;
  }

  private dictionary(tag: Tag): PlistDictionary {
    const dictionary: PlistDictionary = new Map();
    if (tag.empty) return dictionary;
    for (let next = this.nextTag(); !isEndOf(next, "dict"); next = this.nextTag()) {
      if (next.name !== "key" || next.closing) throw new PlistError("value without a key");
      const key = next.empty ? "" : this.content("key");
      dictionary.set(key, this.value(this.nextTag()));
    }
    return dictionary;
  }

  private expectEnd(name: string): void {
    if (!isEndOf(this.nextTag(), name)) throw new PlistError(`no </${name}>`);
  }

  private nextTag(): Tag {
    this.skipMisc();
    return this.tag();
  }

  /** The tag at the current position. Attributes have no meaning in a list and are skipped. */
  private tag(): Tag {
    const pattern = /<(\/?)([A-Za-z]{1,16})(?:\s+[A-Za-z_:][\w:.-]{0,64}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y;
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) throw new PlistError("no element");
    this.at = pattern.lastIndex;
    return { closing: match[1] !== "", name: match[2] as string, empty: match[3] !== "" };
  }

  /** The text up to `</name>`, with references resolved and CDATA sections verbatim. */
  private content(name: string): string {
    let content = "";
    for (;;) {
      const open = this.text.indexOf("<", this.at);
      if (open < 0) throw new PlistError(`no </${name}>`);
      content += resolveReferences(this.text.slice(this.at, open));
      this.at = open;
      if (this.text.startsWith("<![CDATA[", open)) {
        content += this.upTo("<![CDATA[", "]]>");
      } else if (this.text.startsWith("<!--", open)) {
        this.upTo("<!--", "-->");
      } else {
        if (!isEndOf(this.tag(), name)) throw new PlistError(`element within ${name}`);
        return content;
      }
    }
  }

  private prolog(): void {
    this.skipMisc();
    if (this.text.slice(this.at, this.at + 9).toUpperCase() === "<!DOCTYPE") {
      this.skipDoctype();
    }
    this.skipMisc();
  }

  /** Skips a document type with the declarations within it, which have no effect: no entity but the predefined ones is known. */
  private skipDoctype(): void {
    let isInside = false;
    for (this.at += "<!DOCTYPE".length; this.at < this.text.length; ) {
      const character = this.text[this.at] as string;
      // Quoted texts and comments may contain what ends the declarations.
      if (this.text.startsWith("<!--", this.at)) this.upTo("<!--", "-->");
      else if (character === '"' || character === "'") this.upTo(character, character);
      else {
        this.at += 1;
        if (character === "[" || character === "]") isInside = character === "[";
        else if (!isInside && /[<%&]/.test(character)) break;
        else if (character === ">" && !isInside) return;
      }
    }
    throw new PlistError("a DOCTYPE without an end");
  }

  /** Skips white space, comments and processing instructions. */
  private skipMisc(): void {
    for (;;) {
      const pattern = /\s*/y;
      pattern.lastIndex = this.at;
      pattern.exec(this.text);
      this.at = pattern.lastIndex;
      if (this.text.startsWith("<!--", this.at)) this.upTo("<!--", "-->");
      else if (this.text.startsWith("<?", this.at)) this.upTo("<?", "?>");
      else return;
    }
  }

  private upTo(start: string, end: string): string {
    const from = this.at + start.length;
    const to = this.text.indexOf(end, from);
    if (to < 0) throw new PlistError(`no ${end}`);
    this.at = to + end.length;
    return this.text.slice(from, to);
  }
}

function isEndOf(tag: Tag, name: string): boolean {
  return tag.closing && tag.name === name;
}

function resolveReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|([A-Za-z]{1,8}));|&/g, (_, hex, decimal, name) => {
    const character = name === undefined ? codePoint(hex, decimal) : ENTITIES.get(name);
    if (character === undefined) throw new PlistError("unknown entity");
    return character;
  });
}

function codePoint(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function integer(text: string): number | bigint {
  const match = /^([+-]?)(0[xX][0-9A-Fa-f]{1,32}|[0-9]{1,40})$/.exec(text);
  if (!match) throw new PlistError("no integer");
  const magnitude = BigInt(match[2] as string);
  return exactInteger(match[1] === "-" ? -magnitude : magnitude);
}

function real(text: string): number {
  if (!/^[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/.test(text)) {
    const special = /^([+-]?)(?:inf|infinity)$/i.exec(text);
    if (special) return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (/^nan$/i.test(text)) return Number.NaN;
    throw new PlistError("no real");
  }
  return Number(text);
}

function date(text: string): Date {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/.exec(text);
  if (!match) throw new PlistError("no date");
  return validDate(new Date(text));
}

function data(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, "")), (character) => character.charCodeAt(0));
  } catch {
    throw new PlistError("no base64");
  }
}
