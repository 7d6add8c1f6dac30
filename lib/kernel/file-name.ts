/** File systems refuse longer names; a browser would cut them anywhere. In bytes of UTF-8. */
export const MAX_FILE_NAME_BYTES = 200;
/** An extension longer than this is not one. In characters. */
const MAX_EXTENSION = 20;
const FALLBACK_NAME = "download";

/** Control characters, and those that make a name look like another: bidirectional overrides, invisible signs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;
/** Separators of paths, and what Windows does not allow in a name. */
const FORBIDDEN = /[/\\:*?"<>|]/g;
/** Device names of Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?= *(\.|$))/i;

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

/** Where the trailing dots and spaces begin. A regular expression would take quadratic time. */
function lastKept(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "." || text[end - 1] === " ")) end -= 1;
  return end;
}

function hasExtension(name: string, extensions: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return extensions.some((extension) => lower.endsWith(`.${extension}`));
}

/**
 * Returns a name that every file system accepts and that is shown as it is: not a path, without control or invisible
 * characters, not hidden, at most 200 bytes of UTF-8, with its extension. If nothing is left of the name, it becomes
 * `download`.
 * @param extensions lower-case, without the dot: a name that ends with none of them gets the first one
 */
export function safeFileName(name: string, extensions: readonly string[] = []): string {
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
  const kept = clean.slice(0, lastKept(clean)) || FALLBACK_NAME;
  const [first] = extensions;
  const whole = (first === undefined || hasExtension(kept, extensions) ? kept : `${kept}.${first}`).replace(
    RESERVED,
    "_$1",
  );
  if (byteLength(whole) <= MAX_FILE_NAME_BYTES) return whole;
  const dot = whole.lastIndexOf(".");
  const extension = dot > 0 && whole.length - dot <= MAX_EXTENSION ? whole.slice(dot) : "";
  const stem = extension ? whole.slice(0, dot) : whole;
  return cutToBytes(stem, MAX_FILE_NAME_BYTES - byteLength(extension)).trimEnd() + extension;
}

/**
 * Says why a name may not be given to a file that people and programs save: `fileNameForm` where `safeFileName` would
 * change it, `fileNameExtension` where its extension is none of the given ones. With the extensions of the kind of
 * file, a name cannot be one that a program reads automatically, such as `Makefile` or `slipway.json`.
 * @returns the key of the message below `validation`; null for a name that may be given
 */
export function fileNameProblem(
  name: string,
  extensions: readonly string[],
): "fileNameForm" | "fileNameExtension" | null {
  if (safeFileName(name) !== name) return "fileNameForm";
  return hasExtension(name, extensions) ? null : "fileNameExtension";
}

/** Extensions as messages list them: `.ipa, .apk`. */
export function listExtensions(extensions: readonly string[]): string {
  return extensions.map((extension) => `.${extension}`).join(", ");
}
