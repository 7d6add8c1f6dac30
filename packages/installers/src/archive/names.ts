import { viewOf } from "../encoding/bytes";
import { crc32 } from "../encoding/crc32";
import { InstallerError } from "../errors";

const CP437_HIGH =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** The extra field in which Info-ZIP repeats a name in UTF-8 (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075;
/** The encodings in which archives of Windows have names without saying so, beside code page 437. */
const LEGACY_ENCODINGS = ["gb18030", "shift_jis", "euc-kr", "big5", "windows-1252", "ibm866"];

/** The name of an entry. */
export interface EntryName {
  name: string;
  /** What the archive may mean besides, where the name is not in UTF-8. */
  otherNames: readonly string[];
}

const NO_OTHER_NAMES: readonly string[] = [];

/**
 * Decodes the name of an entry: UTF-8, else code page 437, as the format says.
 * @param extra the extra fields of the entry
 * @throws InstallerError archive_damaged if it says that it is UTF-8 and is not
 */
export function decodeName(raw: Uint8Array, isUtf8: boolean, extra: Uint8Array): EntryName {
  try {
    // Apple's tools write UTF-8 without setting its flag.
    return { name: decodeText(raw, "utf-8"), otherNames: NO_OTHER_NAMES };
  } catch {
    if (isUtf8) throw new InstallerError("archive_damaged");
    const name = Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437_HIGH[byte - 0x80])).join(
      "",
    );
    const others = [unicodePath(raw, extra), ...LEGACY_ENCODINGS.map((encoding) => legacyName(raw, encoding))];
    return { name, otherNames: [...new Set(others.filter((other) => other !== null))] };
  }
}

/** @throws TypeError if the bytes are not text in the encoding */
function decodeText(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Null if the bytes are not text in the encoding, or the platform does not know it. */
function legacyName(raw: Uint8Array, encoding: string): string | null {
  try {
    return decodeText(raw, encoding);
  } catch {
    return null;
  }
}

/** The name in the extra field; null if there is none, or it is of another name. */
function unicodePath(raw: Uint8Array, extra: Uint8Array): string | null {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.length) return null;
    if (view.getUint16(at, true) === UNICODE_PATH && end - at >= 9 && view.getUint8(at + 4) === 1) {
      return view.getUint32(at + 5, true) === crc32(raw) ? legacyName(extra.subarray(at + 9, end), "utf-8") : null;
    }
    at = end;
  }
  return null;
}

/** Refuses a name that would be extracted outside of the target folder on any operating system. */
export function safeName(name: string): string {
  const isUnsafe =
    name === "" ||
    name.includes("\0") ||
    /^[/\\]|^[A-Za-z]:[/\\]/.test(name) ||
    (name.includes("..") && name.split(/[/\\]/).includes(".."));
  if (isUnsafe) throw new InstallerError("entry_unsafe_name", { name });
  return name.replace(/^(?:\.\/+)+/, "");
}
