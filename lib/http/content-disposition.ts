/** File systems refuse longer names; a browser would cut them anywhere. In bytes of UTF-8. */
const MAX_NAME_BYTES = 200;
/** An extension longer than this is not one. In characters. */
const MAX_EXTENSION = 20;
const FALLBACK_NAME = "download";

/** Control characters, and those that make a name look like another: bidirectional overrides, invisible signs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;
/** Separators of paths, and what Windows does not allow in a name. */
const FORBIDDEN = /[/\\:*?"<>|]/g;
/** Device names of Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
/** RFC 8187 attr-char: what needs no percent-encoding. encodeURIComponent leaves these four as well. */
const NOT_ATTR_CHAR = /['()*]/g;

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The longest prefix of a text within `maxBytes` bytes of UTF-8, never half a character. */
function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let cut = "";
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}

/**
 * A name that every file system takes and that shows itself as it is: no path, no control or invisible characters, at
 * most 200 bytes of UTF-8, its extension kept. A name of which nothing is left becomes `download`.
 */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/\s/gu, " ")
    .replace(UNSEEN, "")
    .replace(/ +/g, " ")
    .replace(FORBIDDEN, "_")
    .normalize("NFC")
    // Windows drops dots and spaces at the end; a dot in front hides a file.
    .replace(/^[. ]+/, "")
    .trimEnd();
  const trimmed = clean.slice(0, lastKept(clean)).replace(RESERVED, "_$1");
  if (byteLength(trimmed) <= MAX_NAME_BYTES) return trimmed || FALLBACK_NAME;
  const dot = trimmed.lastIndexOf(".");
  const extension = dot > 0 && trimmed.length - dot <= MAX_EXTENSION ? trimmed.slice(dot) : "";
  const stem = extension ? trimmed.slice(0, dot) : trimmed;
  return cutToBytes(stem, MAX_NAME_BYTES - byteLength(extension)).trimEnd() + extension;
}

/** Where the trailing dots and spaces begin. A regular expression would take quadratic time. */
function lastKept(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "." || text[end - 1] === " ")) end -= 1;
  return end;
}

/** The name in printable ASCII for the few that do not know filename*: accents dropped, anything else `_`. */
function asciiName(name: string): string {
  return (
    name
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      // Some browsers decode a percent sign in a quoted name (RFC 6266, appendix D).
      .replace(/[^\x20-\x7e]|[%"\\]/gu, "_")
  );
}

/**
 * A Content-Disposition value (RFC 6266) that carries any name: `filename` in ASCII and, where that does not say it
 * all, `filename*` in UTF-8 (RFC 8187).
 * @param name as somebody typed it; see {@link safeFileName} for what is left of it
 */
export function contentDisposition(name: string, type: "attachment" | "inline" = "attachment"): string {
  const safe = safeFileName(name);
  const ascii = asciiName(safe);
  const plain = `${type}; filename="${ascii}"`;
  if (ascii === safe) return plain;
  const encoded = encodeURIComponent(safe).replace(
    NOT_ATTR_CHAR,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
