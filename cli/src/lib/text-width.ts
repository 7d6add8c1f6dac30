const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colours begin with one
const STYLES = /\u001b\[[\d;]*m/g;
/** Characters of two cells: East Asian wide and full-width ones (Unicode, annex 11), and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** The cells that a text takes in a terminal; styles take none. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const { segment } of graphemes.segment(text.replace(STYLES, ""))) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** A text with spaces after it, up to a number of cells. */
export function padTo(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - cellsOf(text)));
}

/**
 * Breaks the lines of a text between words, so that they fit a terminal. A word that does not fit stays in one piece: a URL or a
 * path can still be copied.
 * @param indent the spaces before a continued line; by default those of the line itself
 */
export function wrap(text: string, columns: number, indent?: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns, indent ?? /^ */.exec(line)?.[0].length ?? 0))
    .join("\n");
}

function wrapLine(line: string, columns: number, indent: number): string {
  if (cellsOf(line) <= columns) return line;
  const lines: string[] = [];
  let current = "";
  // Each word with the spaces before it, which stay where the line is not broken.
  for (const piece of line.match(/ *[^ ]+/g) ?? []) {
    const hasWords = current.trim() !== "";
    if (hasWords && cellsOf(current) + cellsOf(piece) > columns) {
      lines.push(current);
      current = " ".repeat(indent) + piece.trimStart();
    } else {
      current += piece;
    }
  }
  return [...lines, current].join("\n");
}
