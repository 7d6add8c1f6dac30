const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for the content of an element or a quoted attribute of HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** A piece of HTML. Made by `html`, which escapes what is put into it, and by `trustedHtml`. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template of HTML takes: texts and numbers are escaped, pieces are not, and `null` and `false` leave nothing. */
type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(textOf).join("");
  return value === null || value === undefined || value === false ? "" : escapeHtml(String(value));
}

/** Puts a piece of HTML together. Values are for the content of elements and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

/** HTML that other code has made safe, such as rendered release notes. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}
