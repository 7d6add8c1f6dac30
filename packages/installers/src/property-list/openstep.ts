import { type PlistBudget, type PlistDictionary, PlistError, type PlistValue } from "./value";

/**
 * Parses a property list in the OpenStep text format: `{ key = value; }`, `( a, b )`, `<0fbd77>`, and, at the root, the
 * `"key" = "value";` lines of a `.strings` file.
 * @throws PlistError
 */
export function parseOpenStepPlist(text: string, budget: PlistBudget): PlistValue {
  return new OpenStepReader(text, budget).root();
}

const ESCAPES = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

class OpenStepReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly budget: PlistBudget,
  ) {}

  root(): PlistValue {
    const opening = this.peek();
    const value = opening === "{" || opening === "(" || opening === "<" ? this.value() : this.strings();
    if (this.peek() !== "") throw new PlistError("text after the list");
    return value;
  }

  private strings(): PlistDictionary {
    return this.budget.container(() => this.pairs(""));
  }

  private value(): PlistValue {
    switch (this.peek()) {
      case "{":
        return this.budget.container(() => {
          this.at++;
          const dictionary = this.pairs("}");
          this.at++;
          return dictionary;
        });
      case "(":
        return this.budget.container(() => this.array());
      case "<":
        this.budget.object();
        return this.data();
      default:
        this.budget.object();
        return this.string();
    }
  }

  /** `key = value;` pairs up to the closing character, which is not consumed; the value of a single `key;` is the key. */
  private pairs(closing: string): PlistDictionary {
    const dictionary: PlistDictionary = new Map();
    while (this.peek() !== closing) {
      this.budget.object();
      const key = this.string();
      let value: PlistValue = key;
      if (this.peek() === "=") {
        this.at++;
        value = this.value();
      }
      dictionary.set(key, value);
      if (this.peek() === ";") this.at++;
      else if (this.peek() !== closing) throw new PlistError("no ;");
    }
    return dictionary;
  }

  private array(): PlistValue[] {
    const values: PlistValue[] = [];
    this.at++;
    while (this.peek() !== ")") {
      values.push(this.value());
      if (this.peek() === ",") this.at++;
      else if (this.peek() !== ")") throw new PlistError("no ,");
    }
    this.at++;
    return values;
  }

  private data(): Uint8Array {
    const hex = this.match(/<([0-9A-Fa-f\s]*)>/y)[1]?.replace(/\s+/g, "") ?? "";
    if (hex.length % 2 !== 0) throw new PlistError("half a byte");
    return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
      Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
    );
  }

  private string(): string {
    const quote = this.peek();
    if (quote !== '"' && quote !== "'") return this.match(/[\w$/:.+-]+/y)[0];
    let value = "";
    this.at++;
    for (;;) {
      const plain = this.match(quote === '"' ? /[^"\\]*/y : /[^'\\]*/y)[0];
      value += plain;
      const end = this.text[this.at++];
      if (end === quote) return value;
      if (end !== "\\") throw new PlistError("no closing quote");
      value += this.escape();
    }
  }

  private escape(): string {
    const [, hex, octal, other] = this.match(/[Uu]([0-9A-Fa-f]{1,4})|([0-7]{1,3})|([\s\S])/y);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return ESCAPES.get(other as string) ?? (other as string);
  }

  /** Skips white space and comments, and returns the next character; empty at the end. */
  private peek(): string {
    for (;;) {
      this.match(/[\s\0]*/y);
      if (this.text.startsWith("//", this.at)) this.match(/[^\n\r\u2028\u2029]*/y);
      else if (this.text.startsWith("/*", this.at)) {
        const end = this.text.indexOf("*/", this.at + 2);
        if (end < 0) throw new PlistError("no */");
        this.at = end + 2;
      } else return this.text[this.at] ?? "";
    }
  }

  private match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) throw new PlistError("unexpected character");
    this.at = pattern.lastIndex;
    return match;
  }
}
