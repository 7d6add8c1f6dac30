import { safeFileName } from "@/lib/kernel/file-name";

/** RFC 8187 attr-char: what needs no percent-encoding. encodeURIComponent leaves these four as well. */
const NOT_ATTR_CHAR = /['()*]/g;

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
