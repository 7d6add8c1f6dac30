import { plainText } from "../encoding/text";
import { MAX_MAPPING_BYTES } from "../limits";
import type { ByteSource } from "../source";
import { SymbolsError } from "./errors";
import type { MappingFacts } from "./types";

/** Bytes that are read at once. */
const PIECE_BYTES = 1024 * 1024;
/** The header and the first class are within this many characters. */
const HEAD_CHARACTERS = 64 * 1024;

/** A class in a mapping file: `com.example.Cart -> a.b:`. */
const CLASS_LINE = /^[^\s#][^\n]* -> [^\s]+:\s*$/m;

/**
 * Reads the mapping file of R8 or ProGuard. All of it is checked to be text, in pieces; what it says is in its header.
 * @throws SymbolsError; the errors of the source
 */
export async function readMapping(source: ByteSource): Promise<MappingFacts> {
  if (source.size === 0) throw new SymbolsError("file_empty");
  if (source.size > MAX_MAPPING_BYTES) {
    throw new SymbolsError("mapping_too_large", { limitMb: MAX_MAPPING_BYTES / 2 ** 20 });
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let head = "";
  for (let offset = 0; offset < source.size; offset += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, source.size - offset);
    const text = decodePiece(decoder, await source.read(offset, length), offset + length === source.size);
    if (text.includes("\0")) throw new SymbolsError("mapping_not_text");
    if (head.length < HEAD_CHARACTERS) head = (head + text).slice(0, HEAD_CHARACTERS);
    if (offset === 0 && !CLASS_LINE.test(head)) throw new SymbolsError("mapping_without_classes");
  }
  return factsOf(head);
}

function decodePiece(decoder: TextDecoder, bytes: Uint8Array, isLast: boolean): string {
  try {
    return decoder.decode(bytes, { stream: !isLast });
  } catch {
    throw new SymbolsError("mapping_not_text");
  }
}

function factsOf(head: string): MappingFacts {
  const values = new Map<string, string>();
  for (const line of head.split("\n")) {
    if (!line.startsWith("#")) break;
    const found = /^# ?([a-z_]{1,40}): ?(.{1,200})$/.exec(line.trimEnd());
    if (found && !values.has(found[1] as string)) values.set(found[1] as string, plainText(found[2] as string, 100));
  }
  const value = (key: string) => values.get(key) || null;
  return {
    compiler: value("compiler"),
    compilerVersion: value("compiler_version"),
    mapId: value("pg_map_id"),
    minApi: value("min_api"),
  };
}
