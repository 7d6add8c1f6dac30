import "server-only";
import MarkdownIt, { type Token } from "markdown-it";
import { escapeHtml } from "@/lib/kernel/html";

/** Release notes as they are shown. */
export interface ReleaseNotes {
  /** Safe HTML. */
  html: string;
  /** The first line as plain text; with the line after it if it is a heading. */
  summary: string;
}

/** The version of this renderer. Increase it with every change of what is rendered: rows with another version are rendered again. */
export const NOTES_VERSION = 1;

/** Blocks inside blocks. Notes that are nested deeper are shown as written. */
const MAX_BLOCK_NESTING = 20;
/** Inline elements inside each other; those deeper inside are shown without their formatting. */
const MAX_INLINE_NESTING = 8;
/** Characters. References let a short text repeat a long URL many times; such notes are shown as written. */
const MAX_HTML = 50_000;
const MAX_URL = 2_000;
const MAX_SUMMARY = 200;

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** The URL as browsers understand it; null if it leads anywhere but to the web or to a mail address. */
function safeUrl(text: string): string | null {
  if (text.length > MAX_URL || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return PROTOCOLS.has(protocol) && href.length <= MAX_URL ? href : null;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: MAX_BLOCK_NESTING });
markdown.disable("table");
markdown.validateLink = (url) => safeUrl(url) !== null;
// Only what starts with a protocol is a link: "settings.app" and "v2.co" are not.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The elements without attributes of their own, by the token that opens them. */
const ELEMENTS: Readonly<Record<string, string>> = {
  paragraph_open: "p",
  blockquote_open: "blockquote",
  bullet_list_open: "ul",
  ordered_list_open: "ol",
  list_item_open: "li",
  strong_open: "strong",
  em_open: "em",
  s_open: "s",
};

/** Elements that find the direction of their text by themselves, so that Arabic and Hebrew notes are readable. */
const OWN_DIRECTION = new Set(["p", "li", "blockquote", "h3", "h4", "h5", "h6"]);

/** The page has `h1` and `h2`. */
const FIRST_HEADING = 3;
const LAST_HEADING = 6;

/** The notes are too deep or too long to be rendered. */
class UnsuitableNotesError extends Error {}

/**
 * Writes HTML of a fixed set of elements and attributes. Everything else is escaped text, and every element that is opened
 * is closed, whatever the tokens say.
 */
class HtmlWriter {
  #html = "";
  /** The open elements; null for one that is not shown. */
  readonly #open: (string | null)[] = [];
  /** The levels of the open headings as written, outermost first. */
  readonly #outline: number[] = [];
  #inline = 0;

  #write(html: string): void {
    this.#html += html;
    if (this.#html.length > MAX_HTML) throw new UnsuitableNotesError();
  }

  #start(element: string | null, attributes = ""): void {
    this.#open.push(element);
    if (element === null) return;
    this.#write(`<${element}${OWN_DIRECTION.has(element) ? ' dir="auto"' : ""}${attributes}>`);
  }

  #end(): void {
    const element = this.#open.pop();
    if (element) this.#write(`</${element}>`);
  }

  /** The element of a heading: as deep as its place in the outline, without gaps. */
  #heading(level: number): string {
    while (this.#outline.length > 0 && (this.#outline.at(-1) as number) >= level) this.#outline.pop();
    this.#outline.push(level);
    return `h${Math.min(FIRST_HEADING - 1 + this.#outline.length, LAST_HEADING)}`;
  }

  #startInline(element: string, attributes = ""): void {
    this.#inline += 1;
    this.#start(this.#inline > MAX_INLINE_NESTING ? null : element, attributes);
  }

  #block(token: Token): void {
    const { type, hidden, content } = token;
    if (type === "inline") this.#inlines(token.children ?? []);
    else if (type === "fence" || type === "code_block") this.#write(`<pre><code>${escapeHtml(content)}</code></pre>`);
    else if (type === "hr") this.#write("<hr>");
    else if (type === "heading_open") this.#start(this.#heading(Number(token.tag.slice(1))));
    else if (type === "ordered_list_open") {
      const start = Number(token.attrGet("start") ?? 1);
      this.#start("ol", start === 1 ? "" : ` start="${Math.trunc(start)}"`);
    } else if (token.nesting === 1) this.#start(hidden ? null : (ELEMENTS[type] ?? null));
    else if (token.nesting === -1) this.#end();
    else this.#write(escapeHtml(content));
  }

  #inlines(tokens: readonly Token[]): void {
    const outer = this.#open.length;
    for (const token of tokens) {
      const { type, content } = token;
      if (type === "softbreak" || type === "hardbreak") this.#write("<br>");
      else if (type === "code_inline") this.#write(`<code>${escapeHtml(content)}</code>`);
      else if (type === "link_open") this.#link(token);
      else if (token.nesting === 1) this.#startInline(ELEMENTS[type] ?? "span");
      else if (token.nesting === -1) {
        this.#inline -= 1;
        if (this.#open.length > outer) this.#end();
      } else this.#write(escapeHtml(content));
    }
    this.#inline = 0;
    while (this.#open.length > outer) this.#end();
  }

  #link(token: Token): void {
    const url = safeUrl(String(token.attrGet("href") ?? ""));
    if (url === null) this.#startInline("span");
    else this.#startInline("a", ` href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer nofollow"`);
  }

  /** @throws UnsuitableNotesError */
  render(tokens: readonly Token[]): string {
    for (const token of tokens) this.#block(token);
    while (this.#open.length > 0) this.#end();
    return this.#html;
  }
}

/** Whether blocks were left out because they are nested too deep. */
function isTooDeep(tokens: readonly Token[]): boolean {
  return tokens.some(({ nesting, level }) => nesting === 1 && level >= MAX_BLOCK_NESTING - 1);
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_SUMMARY)];
  return characters.length > MAX_SUMMARY || text.length > 2 * MAX_SUMMARY
    ? `${characters.slice(0, MAX_SUMMARY - 1).join("")}…`
    : text;
}

/** The lines of text of a block. */
function linesOf(token: Token): string[] {
  if (token.type === "fence" || token.type === "code_block") return token.content.split("\n");
  const texts = (token.children ?? []).map(({ type, content }) => (type.endsWith("break") ? "\n" : content));
  return texts.join("").split("\n");
}

function summaryOf(tokens: readonly Token[]): string {
  const lines: string[] = [];
  let wanted = 1;
  for (const [index, token] of tokens.entries()) {
    if (!["inline", "fence", "code_block"].includes(token.type)) continue;
    const isHeading = tokens[index - 1]?.type === "heading_open";
    if (isHeading && lines.length === 0) wanted = 2;
    for (const line of linesOf(token).map(oneLine)) {
      if (line !== "") lines.push(line);
      if (lines.length === wanted) return lines.join(" · ");
    }
  }
  return lines.join(" · ");
}

/** Notes as written: escaped, with their line breaks. */
function asWritten(text: string): ReleaseNotes {
  const lines = text.trim().split(/\r\n|[\r\n]/);
  return {
    html: `<p dir="auto">${lines.map(escapeHtml).join("<br>")}</p>`,
    summary: shortened(oneLine(lines[0] ?? "")),
  };
}

/**
 * Renders release notes that are written in Markdown (CommonMark, and strikethrough of GitHub).
 *
 * The result contains only paragraphs, headings (`h3` to `h6`), lists, quotes, rules, code, emphasis and links to `http`,
 * `https` and `mailto`. HTML is shown as text, and an image as its alternative text. Line breaks are kept.
 */
export function releaseNotes(text: string): ReleaseNotes {
  const tokens = markdown.parse(text, {});
  if (isTooDeep(tokens)) return asWritten(text);
  try {
    return { html: new HtmlWriter().render(tokens), summary: shortened(summaryOf(tokens)) };
  } catch (error) {
    if (error instanceof UnsuitableNotesError) return asWritten(text);
    throw error;
  }
}

/** Release notes as a row keeps them. */
interface StoredNotes {
  descriptionHtml: string | null;
  descriptionSummary: string | null;
  /** The version of the renderer. */
  notesVersion: number | null;
}

/** The columns that keep the rendered notes, for every write of the description. */
export function renderedNotes(description: string) {
  const { html, summary } = releaseNotes(description);
  return { descriptionHtml: html, descriptionSummary: summary, notesVersion: NOTES_VERSION };
}

/** Whether a row keeps its notes as this renderer writes them. */
export function hasCurrentNotes<Row extends StoredNotes>(
  row: Row,
): row is Row & { descriptionHtml: string; descriptionSummary: string } {
  return row.notesVersion === NOTES_VERSION && row.descriptionHtml !== null && row.descriptionSummary !== null;
}
