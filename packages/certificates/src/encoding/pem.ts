import { CertificateFileError } from "../errors";

/** One encapsulated text of a PEM file (RFC 7468). */
export interface PemBlock {
  /** `CERTIFICATE`, `PRIVATE KEY`, … */
  label: string;
  /** The headers of the older form (RFC 1421), such as `DEK-Info`. */
  headers: ReadonlyMap<string, string>;
  bytes: Uint8Array;
}

const BEGIN = "-----BEGIN ";
const DASHES = "-----";
const MAX_LABEL_LENGTH = 64;

/** UTF-16, in which PowerShell and Notepad write text, has a zero byte beside each of the first characters. */
function encodingOf([first, second]: Uint8Array): "utf-16le" | "utf-16be" | "latin1" {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "latin1";
}

/**
 * The encapsulated texts of a PEM file. Text around them is skipped.
 * @returns null if there is none: the file is not PEM
 * @throws CertificateFileError read_error for a block that is not closed or not base64
 */
export function readPem(file: Uint8Array): PemBlock[] | null {
  const text = new TextDecoder(encodingOf(file)).decode(file);
  const blocks: PemBlock[] = [];
  for (let from = text.indexOf(BEGIN); from >= 0; from = text.indexOf(BEGIN, from)) {
    const labelStart = from + BEGIN.length;
    const labelEnd = text.indexOf(DASHES, labelStart);
    const label = labelEnd < 0 ? "" : text.slice(labelStart, Math.min(labelEnd, labelStart + MAX_LABEL_LENGTH + 1));
    if (!/^[A-Z0-9 #-]{1,64}$/.test(label)) {
      from = labelStart;
      continue;
    }
    const contentStart = labelEnd + DASHES.length;
    const end = `-----END ${label}-----`;
    const contentEnd = text.indexOf(DASHES, contentStart);
    if (contentEnd < 0 || !text.startsWith(end, contentEnd)) {
      throw new CertificateFileError("read_error", "a PEM block is not closed");
    }
    blocks.push({ label, ...readContent(text.slice(contentStart, contentEnd)) });
    from = contentEnd + end.length;
  }
  return blocks.length > 0 ? blocks : null;
}

function readContent(content: string): Pick<PemBlock, "headers" | "bytes"> {
  const headers = new Map<string, string>();
  const lines = content.split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (lines[first]?.includes(":")) {
    const blank = lines.findIndex((line, index) => index > first && line.trim() === "");
    for (const line of lines.splice(0, blank < 0 ? lines.length : blank)) {
      const colon = line.indexOf(":");
      if (colon > 0) headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
    }
  }
  return { headers, bytes: decodeBase64(lines.join("")) };
}

function decodeBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new CertificateFileError("read_error", "a PEM block is not base64", { cause });
  }
}
