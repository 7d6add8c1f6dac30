import type { Dirent } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createDeflateRaw } from "node:zlib";
import { crc32 } from "@slipway/installers/node";
import { readRange } from "./installer";

/** Sizes and offsets from here on need the fields of ZIP64. */
const MAX_32 = 0xffffffff;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 45;
/** The date of all entries, 1980-01-01: the same folder makes the same archive. */
const DOS_DATE = 0x0021;
const LOCAL_EXTRA_BYTES = 20;

interface Entry {
  name: Buffer;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

/** The regular files of a folder, in the order of their names. Links are left out: they would lead out of the archive. */
async function filesIn(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}

function uint64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8);
  return bytes;
}

/** The local header, whose sizes are in the field of ZIP64, so that it can be written again once they are known. */
function localHeader({ name, crc, size, compressed }: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(UTF8_NAMES, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(MAX_32, 18);
  header.writeUInt32LE(MAX_32, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(LOCAL_EXTRA_BYTES, 28);
  return Buffer.concat([header, name, Buffer.from([1, 0, 16, 0]), uint64(size, compressed)]);
}

function centralHeader({ name, crc, size, compressed, offset }: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((3 << 8) | VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  header.writeUInt16LE(UTF8_NAMES, 8);
  header.writeUInt16LE(DEFLATED, 10);
  header.writeUInt16LE(DOS_DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(MAX_32, 20);
  header.writeUInt32LE(MAX_32, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(28, 30);
  header.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  header.writeUInt32LE(MAX_32, 42);
  return Buffer.concat([header, name, Buffer.from([1, 0, 24, 0]), uint64(size, compressed, offset)]);
}

function endRecords(count: number, size: number, offset: number): Buffer {
  const record64 = Buffer.alloc(24);
  record64.writeUInt32LE(0x06064b50, 0);
  record64.writeBigUInt64LE(44n, 4);
  record64.writeUInt16LE(VERSION, 12);
  record64.writeUInt16LE(VERSION, 14);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.fill(0xff, 8, 20);
  return Buffer.concat([record64, uint64(count, count, size, offset), locator, end]);
}

/** Writes the file at `path` as an entry. @returns the entry with its sizes, and where it ends */
async function writeEntry(
  archive: FileHandle,
  entry: Entry,
  path: string,
  signal: AbortSignal,
): Promise<{ entry: Entry; end: number }> {
  const start = entry.offset + localHeader(entry).length;
  const found = { ...entry };
  async function* contents() {
    for await (const piece of readRange(path, { start: 0, length: Number.MAX_SAFE_INTEGER })) {
      signal.throwIfAborted();
      found.crc = crc32(piece, found.crc);
      found.size += piece.length;
      // The buffer is used again for the next piece.
      yield Buffer.from(piece);
    }
  }
  await pipeline(Readable.from(contents()), createDeflateRaw(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      await archive.write(piece, 0, piece.length, start + found.compressed);
      found.compressed += piece.length;
    }
  });
  const header = localHeader(found);
  await archive.write(header, 0, header.length, found.offset);
  return { entry: found, end: start + found.compressed };
}

/**
 * Writes folders with their files into a ZIP archive, each under its own name, with little memory.
 * @param path of a file that is replaced
 */
export async function zipFolders(folders: readonly string[], path: string, signal: AbortSignal): Promise<void> {
  const archive = await open(path, "w", 0o600);
  try {
    const entries: Entry[] = [];
    let end = 0;
    for (const folder of folders) {
      for (const file of await filesIn(folder)) {
        const name = Buffer.from(relative(dirname(folder), file).split(sep).join("/"));
        const written = await writeEntry(archive, { name, crc: 0, compressed: 0, size: 0, offset: end }, file, signal);
        entries.push(written.entry);
        end = written.end;
      }
    }
    const directory = Buffer.concat(entries.map(centralHeader));
    await archive.write(directory, 0, directory.length, end);
    const records = endRecords(entries.length, directory.length, end);
    await archive.write(records, 0, records.length, end + directory.length);
  } finally {
    await archive.close();
  }
}

/** Whether a path is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/** The dSYM bundles that a folder is or contains. */
export async function dsymFolders(folder: string): Promise<string[]> {
  if (/\.dSYM$/i.test(basename(folder))) return [folder];
  const entries = await readdir(folder, { withFileTypes: true });
  const bundles = entries.filter((entry) => entry.isDirectory() && /\.dSYM$/i.test(entry.name));
  return bundles.map(({ name }) => join(folder, name)).toSorted();
}
