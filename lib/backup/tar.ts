import { ByteReader } from "./bytes";
import { BackupError } from "./errors";

// Archives in the ustar format (POSIX.1-1988), so that a decrypted backup opens with `tar` too.

const BLOCK_BYTES = 512;
/** Many times the size of the entries that are written, which are held in memory whole. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
const CHECKSUM = { at: 148, length: 8 };

export interface TarEntry {
  /** At most 100 characters of ASCII. */
  name: string;
  bytes: Uint8Array;
}

function checksumOf(header: Uint8Array): number {
  return header.reduce(
    (sum, byte, index) => sum + (index >= CHECKSUM.at && index < CHECKSUM.at + CHECKSUM.length ? 0x20 : byte),
    0,
  );
}

/** The number of zeros after `size` bytes, to the next block. */
function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}

function headerOf({ name, bytes }: TarEntry, modified: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new TypeError(`an archive cannot contain the name ${name}`);
  header.write(name, 0, "latin1");
  header.write(octal(0o600, 7), 100, "latin1");
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  header.write(octal(bytes.length, 11), 124, "latin1");
  header.write(octal(Math.floor(modified.getTime() / 1000), 11), 136, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  header.write(`${octal(checksumOf(header), 6)} `, CHECKSUM.at, "latin1");
  return header;
}

/** Writes entries as an archive. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, modified: Date): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield headerOf(entry, modified);
    if (entry.bytes.length > 0) yield entry.bytes;
    const padding = paddingOf(entry.bytes.length);
    if (padding > 0) yield Buffer.alloc(padding);
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/** A text that ends at the first NUL. */
function textAt(header: Buffer, start: number, length: number): string {
  return header.toString("latin1", start, start + length).replace(/\0.*$/s, "");
}

/** Reads an archive as `writeTar` writes it, to the end of the stream. @throws BackupError damaged */
export async function* readTar(content: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const damaged = (what: string) => new BackupError("damaged", `the archive is damaged: ${what}`);
  const reader = new ByteReader(content);
  try {
    for (;;) {
      const header = await reader.read(BLOCK_BYTES);
      if (header.length < BLOCK_BYTES) throw damaged("it is cut short");
      if (header.every((byte) => byte === 0)) break;
      const checksum = Number.parseInt(textAt(header, CHECKSUM.at, CHECKSUM.length), 8);
      const size = Number.parseInt(textAt(header, 124, 12), 8);
      if (checksum !== checksumOf(header) || !(size >= 0 && size <= MAX_ENTRY_BYTES))
        throw damaged("a header is wrong");
      const bytes = await reader.read(size);
      if (bytes.length < size) throw damaged("it is cut short");
      await reader.read(paddingOf(size));
      yield { name: textAt(header, 0, 100), bytes };
    }
    await reader.drain();
  } finally {
    await reader.close();
  }
}
