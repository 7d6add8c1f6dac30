import { escapeHtml } from "@/lib/kernel/html";

/** Release notes as a mail has them. */
export interface MailNotes {
  html: string;
  text: string;
  /** Whether they begin with a heading of their own. */
  hasHeading: boolean;
}

const QUIET = "color:#5e626a;";
const MONOSPACE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;";
const BLOCK = "margin:0 0 8px;";
const HEADING = `${BLOCK}font-size:15px;line-height:22px;font-weight:600;`;

/** The elements of rendered notes with their inline styles: many mail programs ignore style sheets. */
const STYLES: Readonly<Record<string, string>> = {
  p: BLOCK,
  h3: HEADING,
  h4: HEADING,
  h5: HEADING,
  h6: HEADING,
  ul: `${BLOCK}padding:0 0 0 22px;`,
  ol: `${BLOCK}padding:0 0 0 22px;`,
  li: "margin:0 0 4px;",
  blockquote: `${BLOCK}padding:0 0 0 12px;border-left:3px solid #e2e4e7;${QUIET}`,
  pre: `${BLOCK}white-space:pre-wrap;word-break:break-word;${MONOSPACE}`,
  code: MONOSPACE,
  strong: "",
  em: "",
  s: "",
  span: "",
  a: "color:#1c53cf;text-decoration:underline",
};
const EMPTY_ELEMENTS = new Set(["br", "hr"]);
const BLOCKS = new Set(["p", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre"]);

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] as string);

/** The plain text of notes, with the marks that people write themselves. */
class TextWriter {
  text = "";
  /** The open lists; the number of the next entry, or null without numbers. */
  readonly #lists: (number | null)[] = [];
  #link: { url: string; from: number } | null = null;

  /** Ends the line, and leaves an empty one outside of lists. */
  #break(isBlock: boolean): void {
    if (this.text === "" || /(^|\n)(> | *(- |\d+\. ))$/.test(this.text)) return;
    const wanted = isBlock && this.#lists.length === 0 ? "\n\n" : "\n";
    const found = /\n*$/.exec(this.text)?.[0] ?? "";
    if (found.length < wanted.length) this.text += wanted.slice(found.length);
  }

  open(element: string, attributes: string): void {
    if (BLOCKS.has(element)) this.#break(true);
    if (element === "ul") this.#lists.push(null);
    if (element === "ol") this.#lists.push(Number(/start="(\d+)"/.exec(attributes)?.[1] ?? 1));
    if (element === "li") this.#entry();
    if (element === "blockquote") this.text += "> ";
    if (element === "br") this.text += `\n${"  ".repeat(this.#lists.length)}`;
    if (element === "hr") {
      this.#break(true);
      this.text += "---";
    }
    const url = element === "a" ? unescaped(/href="([^"]*)"/.exec(attributes)?.[1] ?? "") : "";
    if (url !== "") this.#link = { url, from: this.text.length };
  }

  #entry(): void {
    this.#break(false);
    const number = this.#lists.at(-1) ?? null;
    if (number !== null) this.#lists[this.#lists.length - 1] = number + 1;
    this.text += `${"  ".repeat(Math.max(this.#lists.length - 1, 0))}${number === null ? "- " : `${number}. `}`;
  }

  close(element: string): void {
    if (element === "ul" || element === "ol") this.#lists.pop();
    if (element !== "a" || this.#link === null) return;
    const { url, from } = this.#link;
    this.#link = null;
    if (this.text.slice(from).replace(/\/$/, "") !== url.replace(/\/$/, "")) this.text += ` (${url})`;
  }
}

/**
 * Puts rendered release notes into a mail: with inline styles, and as plain text. Only the known elements are kept.
 * @param rendered the HTML of `descriptionHtml`
 * @param maxCharacters the text after which they end with an ellipsis
 */
export function mailNotes(rendered: string, maxCharacters: number): MailNotes {
  const writer = new TextWriter();
  const open: string[] = [];
  let html = "";
  let left = maxCharacters;
  for (const [, end, element = "", attributes = "", content] of rendered.matchAll(/<(\/?)(\w+)([^>]*)>|([^<]+)/g)) {
    if (content !== undefined) {
      const characters = [...unescaped(content)];
      const kept = characters.length > left ? `${characters.slice(0, left).join("").trimEnd()}…` : characters.join("");
      html += escapeHtml(kept);
      writer.text += kept;
      left -= characters.length;
      if (left < 0) break;
    } else if (EMPTY_ELEMENTS.has(element)) {
      html += `<${element}>`;
      writer.open(element, attributes);
    } else if (end === "/") {
      const last = open.pop();
      if (last === undefined) continue;
      html += `</${tagOf(last)}>`;
      writer.close(last);
    } else if (STYLES[element] !== undefined) {
      open.push(element);
      html += `<${tagOf(element)}${attributesOf(element, attributes)}>`;
      writer.open(element, attributes);
    }
  }
  for (const element of open.toReversed()) html += `</${tagOf(element)}>`;
  return { html, text: writer.text.trim(), hasHeading: /^<h\d/.test(rendered) };
}

/** Headings of notes begin at `h3` on pages; the title of a mail is its `h1`. */
const tagOf = (element: string) => element.replace(/^h([3-6])$/, (_, level: string) => `h${Number(level) - 1}`);

function attributesOf(element: string, attributes: string): string {
  const kept = element === "a" ? /href="[^"]*"/ : element === "ol" ? /start="\d+"/ : /dir="auto"/;
  const attribute = kept.exec(attributes)?.[0];
  const style = STYLES[element];
  return `${attribute ? ` ${attribute}` : ""}${element === "a" ? ' class="link"' : ""}${style ? ` style="${style}"` : ""}`;
}
