import { concatBytes, viewOf } from "../encoding/bytes";
import { crc32 } from "../encoding/crc32";
import { InflateError, inflate } from "../encoding/inflate";
import { InstallerError } from "../errors";
import { MAX_COMPRESSION_RATIO, MAX_DIRECTORY_BYTES, MAX_ENTRIES, MAX_ENTRY_BYTES } from "../limits";
import type { ByteSource } from "../source";
import { decodeName, safeName } from "./names";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const END_RECORD_64 = 0x06064b50;
const END_LOCATOR_64 = 0x07064b50;
const SPLIT_MARKER = 0x08074b50;

const LOCAL_HEADER_SIZE = 30;
const CENTRAL_HEADER_SIZE = 46;
const END_RECORD_SIZE = 22;
const END_RECORD_64_SIZE = 56;
const END_LOCATOR_64_SIZE = 20;
/** The end record with the longest possible comment. */
const MAX_END_RECORD_SIZE = END_RECORD_SIZE + 0xffff;

/** A file up to this size is read whole, in bytes. */
const SMALL_FILE_BYTES = 64 * 1024;
/** The first read of a larger file: this much of its end, which holds most directories. */
const FIRST_TAIL_BYTES = 16 * 1024;
/** The extra field of a local header (alignment padding) is read together with the data up to this length. */
const EXTRA_FIELD_BYTES = 1024;

const STORED = 0;
const DEFLATED = 8;
const FLAG_ENCRYPTED = 0x0001;
const FLAG_DATA_DESCRIPTOR = 0x0008;
const FLAG_STRONG_ENCRYPTION = 0x0040;
const FLAG_UTF8 = 0x0800;
const FLAG_MASKED_HEADERS = 0x2000;

/** Symbolic links of an app, and the path of one, in bytes. */
const MAX_LINKS = 256;
const MAX_LINK_BYTES = 1_024;

/** The numbers of entries that the end record tells apart. */
const COUNTED = 0x1_0000;

const HOST_UNIX = 3;
const HOST_DARWIN = 19;
const FILE_TYPE_MASK = 0xf000;
const SYMLINK = 0xa000;
/** A file or folder of an archive, as the central directory describes it. */
export interface ArchiveEntry {
  /** The path, separated by `/` and without a leading `./`. The path of a folder ends with `/`. */
  readonly name: string;
  /** What the name may be besides, where it is not in UTF-8; see `decodeName`. */
  readonly otherNames: readonly string[];
  readonly isDirectory: boolean;
  /** APPNOTE 4.4.5: 0 stored, 8 deflated. */
  readonly method: number;
  /** APPNOTE 4.4.4. */
  readonly flags: number;
  /** Bytes. */
  readonly compressedSize: number;
  /** Bytes, as the archive declares. */
  readonly uncompressedSize: number;
  readonly crc32: number;
  /** The offset of its local header in the file, in bytes. */
  readonly localHeaderOffset: number;
}

export interface ReadOptions {
  /** Treats every compression method but "stored" as deflate and ignores that of the local header, as Android does. */
  unknownMethodIsDeflate?: boolean;
  /** The limits for an entry that is stored without compression, and for one that is not, in bytes, where they are above the usual one. */
  storedUpTo?: number;
  inflatedUpTo?: number;
}

/** A ZIP archive with a valid central directory. */
export interface Archive {
  readonly source: ByteSource;
  /** Whether the end record counts the entries modulo 65,536, which only Apple's tools write and read. */
  readonly isCountedModulo: boolean;
  /** By name, in the order of the central directory. */
  readonly entries: ReadonlyMap<string, ArchiveEntry>;
  /** The offset in the file, in bytes; an APK Signing Block ends here. */
  readonly centralDirectoryOffset: number;
  /** Bytes. */
  readonly centralDirectorySize: number;
  /** The offset in the file of the end of central directory record, or of the ZIP64 one where there is one, in bytes. */
  readonly endRecordOffset: number;
  /**
   * The contents of an entry, decompressed and checked against its size and CRC-32.
   * @param maxBytes the maximum size, capped at MAX_ENTRY_BYTES unless the options allow more
   * @throws InstallerError entry_* or archive_*
   */
  read(entry: ArchiveEntry, maxBytes: number, options?: ReadOptions): Promise<Uint8Array>;
  /** Exactly `length` bytes of the file from `offset`; the end of the file is cached. */
  readRange(offset: number, length: number): Promise<Uint8Array>;
}

export interface OpenOptions {
  /** Aborts all reads with the reason of the signal. */
  signal?: AbortSignal;
}

interface Directory {
  offset: number;
  size: number;
  count: number;
  /** The numbers are of the ZIP64 record, and not modulo 65,536. */
  is64: boolean;
  endRecordOffset: number;
}

interface DirectoryEntry extends ArchiveEntry {
  readonly rawName: Uint8Array;
  readonly isLink: boolean;
}

/**
 * Opens a ZIP archive (PKWARE APPNOTE 6.3.10) for random access. Reads only the end of the file and the central
 * directory. Refuses what two readers could interpret differently: data before the first or after the last record,
 * several disks, duplicate names, absolute names and names with `..`, symbolic links out of an app, overlapping entries, and
 * impossible counts or sizes.
 * @throws InstallerError file_empty, archive_* or entry_*
 */
export async function openArchive(source: ByteSource, options: OpenOptions = {}): Promise<Archive> {
  const file = new TailCachedFile(source, options.signal);
  if (source.size === 0) throw new InstallerError("file_empty");
  const magic = await file.startSignature();
  if (magic === SPLIT_MARKER) throw new InstallerError("archive_multi_disk");
  if (magic !== LOCAL_HEADER && magic !== END_RECORD) throw new InstallerError("archive_not_zip");

  const directory = await findDirectory(file);
  const bytes = await file.read(directory.offset, directory.size);
  const all = parseDirectory(bytes, directory);
  const entries = indexByName(all);
  const archive = new ZipArchive(file, directory, entries, entryEnds(all, directory.offset), options.signal);
  await refuseLinks(archive, all);
  return archive;
}

/**
 * Refuses symbolic links, except for those that stay within an iOS app, as the frameworks of other Apple systems have them. Nothing
 * here follows them.
 */
async function refuseLinks(archive: Archive, all: DirectoryEntry[]): Promise<void> {
  const links = all.filter(({ isLink }) => isLink);
  const paths = new Set(links.map(({ name }) => name));
  for (const link of links) {
    const isShort = link.uncompressedSize <= MAX_LINK_BYTES && links.length <= MAX_LINKS;
    const target = isShort && new TextDecoder().decode(await archive.read(link, MAX_LINK_BYTES));
    if (!target || !staysInApp(link.name, target)) throw new InstallerError("entry_symlink", { name: link.name });
  }
  // What lies below a link would be written to where it leads.
  const below = links.length > 0 && all.find(({ name }) => foldersOf(name).some((folder) => paths.has(folder)));
  if (below) throw new InstallerError("entry_symlink", { name: below.name });
}

/** The paths of the folders of a file, without `/` at their end. */
function foldersOf(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Whether a link leads to a path in the folder of the app that it is in. */
function staysInApp(name: string, target: string): boolean {
  // "Payload/<name>.app/" and the folders of the link within it.
  const parts = name.split("/");
  const inApp = parts[0] === "Payload" && parts[1]?.endsWith(".app") ? parts.length - 3 : -1;
  // A ".." behind a name could lead out of a folder that is itself a link.
  const [, up = "", rest = ""] = /^(?:\.\/)*((?:\.\.\/)*)(.*)$/s.exec(target) ?? [];
  const isPlain = !/[\\\0]/.test(target) && !target.startsWith("/") && !rest.split("/").includes("..");
  return isPlain && rest !== "" && inApp >= 0 && up.length / 3 <= inApp;
}

/** Why an entry is not read that may be in order. */
const UNREAD: ReadonlySet<string> = new Set([
  "entry_compression_bomb",
  "entry_compression_unsupported",
  "entry_too_large",
]);

/**
 * The contents of an entry that an installer can do without, such as an icon.
 * @returns null if it is beyond the limits, or compressed in another way
 * @throws as `read` for a damaged entry: no device unpacks the archive
 */
export async function readOptional(
  archive: Archive,
  entry: ArchiveEntry,
  maxBytes: number,
  options?: ReadOptions,
): Promise<Uint8Array | null> {
  try {
    return await archive.read(entry, maxBytes, options);
  } catch (error) {
    if (error instanceof InstallerError && UNREAD.has(error.reason)) return null;
    throw error;
  }
}

/** A file whose end is cached, so that the records there cost one read. */
class TailCachedFile {
  private tailOffset: number;
  private tailBytes: Uint8Array = new Uint8Array();

  constructor(
    readonly source: ByteSource,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.tailOffset = source.size;
  }

  async startSignature(): Promise<number> {
    if (this.source.size < 4) return 0;
    const { size } = this.source;
    const tail = this.extendTail(size <= SMALL_FILE_BYTES ? size : FIRST_TAIL_BYTES);
    const [start] = await Promise.all([
      size <= SMALL_FILE_BYTES ? tail.then(() => this.read(0, 4)) : this.fetch(0, 4),
      tail,
    ]);
    return viewOf(start).getUint32(0, true);
  }

  /** The last `length` bytes of the file or more, or all of a shorter file. */
  async tail(length: number): Promise<{ bytes: Uint8Array; offset: number }> {
    await this.extendTail(Math.min(length, this.source.size));
    return { bytes: this.tailBytes, offset: this.tailOffset };
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const end = offset + length;
    if (!Number.isSafeInteger(end) || offset < 0 || length < 0 || end > this.source.size) {
      throw new InstallerError("archive_damaged");
    }
    if (offset >= this.tailOffset) {
      return this.tailBytes.subarray(offset - this.tailOffset, end - this.tailOffset);
    }
    if (end <= this.tailOffset) return this.fetch(offset, length);
    const before = await this.fetch(offset, this.tailOffset - offset);
    return concatBytes([before, this.tailBytes.subarray(0, end - this.tailOffset)]);
  }

  private async extendTail(length: number): Promise<void> {
    const offset = this.source.size - length;
    if (offset >= this.tailOffset) return;
    this.tailBytes = concatBytes([await this.fetch(offset, this.tailOffset - offset), this.tailBytes]);
    this.tailOffset = offset;
  }

  private async fetch(offset: number, length: number): Promise<Uint8Array> {
    this.signal?.throwIfAborted();
    const bytes = await this.source.read(offset, length);
    this.signal?.throwIfAborted();
    if (bytes.length !== length) throw new InstallerError("archive_truncated");
    return bytes;
  }
}

async function findDirectory(file: TailCachedFile): Promise<Directory> {
  const endRecordOffset =
    (await findEndRecord(file, FIRST_TAIL_BYTES)) ?? (await findEndRecord(file, MAX_END_RECORD_SIZE));
  if (endRecordOffset === null) throw new InstallerError("archive_truncated");
  const record = viewOf(await file.read(endRecordOffset, END_RECORD_SIZE));
  const disk = record.getUint16(4, true);
  const directoryDisk = record.getUint16(6, true);
  const countHere = record.getUint16(8, true);
  const count = record.getUint16(10, true);
  const size = record.getUint32(12, true);
  const offset = record.getUint32(16, true);

  const sentinel = count === 0xffff || countHere === 0xffff || size === 0xffffffff || offset === 0xffffffff;
  const zip64 = sentinel ? await findDirectory64(file, endRecordOffset) : null;
  if (!zip64 && (disk !== 0 || directoryDisk !== 0 || count !== countHere)) {
    throw new InstallerError("archive_multi_disk");
  }
  const directory = zip64 ?? { offset, size, count, is64: false, endRecordOffset };
  if (directory.count > MAX_ENTRIES) throw new InstallerError("archive_too_many_entries", { limit: MAX_ENTRIES });
  if (directory.size > MAX_DIRECTORY_BYTES) {
    throw new InstallerError("archive_directory_too_large", { limitMb: MAX_DIRECTORY_BYTES / 2 ** 20 });
  }
  if (
    directory.offset + directory.size > directory.endRecordOffset ||
    directory.count * CENTRAL_HEADER_SIZE > directory.size
  ) {
    throw new InstallerError("archive_damaged");
  }
  return directory;
}

/** The offset of the last end record whose comment ends exactly at the end of the file. */
async function findEndRecord(file: TailCachedFile, tailLength: number): Promise<number | null> {
  const { bytes, offset } = await file.tail(tailLength);
  const data = viewOf(bytes);
  for (let at = bytes.length - END_RECORD_SIZE; at >= 0; at--) {
    if (data.getUint32(at, true) !== END_RECORD) continue;
    if (at + END_RECORD_SIZE + data.getUint16(at + 20, true) === bytes.length) return offset + at;
  }
  return null;
}

async function findDirectory64(file: TailCachedFile, endRecordOffset: number): Promise<Directory | null> {
  const locatorOffset = endRecordOffset - END_LOCATOR_64_SIZE;
  if (locatorOffset < 0) return null;
  const locator = viewOf(await file.read(locatorOffset, END_LOCATOR_64_SIZE));
  if (locator.getUint32(0, true) !== END_LOCATOR_64) return null;
  if (locator.getUint32(4, true) !== 0 || locator.getUint32(16, true) > 1) {
    throw new InstallerError("archive_multi_disk");
  }
  const recordOffset = uint64(locator, 8);
  if (recordOffset + END_RECORD_64_SIZE > locatorOffset) throw new InstallerError("archive_damaged");
  const record = viewOf(await file.read(recordOffset, END_RECORD_64_SIZE));
  if (record.getUint32(0, true) !== END_RECORD_64) throw new InstallerError("archive_damaged");
  const count = uint64(record, 32);
  if (record.getUint32(16, true) !== 0 || record.getUint32(20, true) !== 0 || uint64(record, 24) !== count) {
    throw new InstallerError("archive_multi_disk");
  }
  return { count, size: uint64(record, 40), offset: uint64(record, 48), is64: true, endRecordOffset: recordOffset };
}

function parseDirectory(bytes: Uint8Array, directory: Directory): DirectoryEntry[] {
  const data = viewOf(bytes);
  const entries: DirectoryEntry[] = [];
  let at = 0;
  while (entries.length < directory.count || isCountedModulo(directory, bytes.length - at)) {
    if (entries.length >= MAX_ENTRIES) throw new InstallerError("archive_too_many_entries", { limit: MAX_ENTRIES });
    if (at + CENTRAL_HEADER_SIZE > bytes.length || data.getUint32(at, true) !== CENTRAL_HEADER) {
      throw new InstallerError("archive_damaged");
    }
    const nameEnd = at + CENTRAL_HEADER_SIZE + data.getUint16(at + 28, true);
    const extraEnd = nameEnd + data.getUint16(at + 30, true);
    const end = extraEnd + data.getUint16(at + 32, true);
    if (end > bytes.length) throw new InstallerError("archive_damaged");

    const flags = data.getUint16(at + 8, true);
    const rawName = bytes.subarray(at + CENTRAL_HEADER_SIZE, nameEnd);
    const extra = bytes.subarray(nameEnd, extraEnd);
    const decoded = decodeName(rawName, (flags & FLAG_UTF8) !== 0, extra);
    const name = safeName(decoded.name);
    const host = data.getUint8(at + 5);
    const mode = data.getUint16(at + 40, true);
    const sizes = applyZip64Fields(
      {
        uncompressedSize: data.getUint32(at + 24, true),
        compressedSize: data.getUint32(at + 20, true),
        localHeaderOffset: data.getUint32(at + 42, true),
        disk: data.getUint16(at + 34, true),
      },
      extra,
    );
    if (sizes.disk !== 0) throw new InstallerError("archive_multi_disk");
    if (sizes.localHeaderOffset + LOCAL_HEADER_SIZE + rawName.length + sizes.compressedSize > directory.offset) {
      throw new InstallerError("entry_damaged", { name });
    }
    entries.push({
      name,
      otherNames: decoded.otherNames,
      isDirectory: name === "" || name.endsWith("/"),
      method: data.getUint16(at + 10, true),
      flags,
      compressedSize: sizes.compressedSize,
      uncompressedSize: sizes.uncompressedSize,
      crc32: data.getUint32(at + 16, true),
      localHeaderOffset: sizes.localHeaderOffset,
      rawName,
      isLink: (host === HOST_UNIX || host === HOST_DARWIN) && (mode & FILE_TYPE_MASK) === SYMLINK,
    });
    at = end;
  }
  const isCounted = directory.is64 ? entries.length === directory.count : entries.length % COUNTED === directory.count;
  if (at !== bytes.length || !isCounted) throw new InstallerError("archive_damaged");
  return entries;
}

/** Whether a directory has more entries than it counts: Finder and ditto count them modulo 65,536 and write no ZIP64 record. */
function isCountedModulo({ count, size, is64 }: Directory, bytesLeft: number): boolean {
  return !is64 && bytesLeft > 0 && size >= (count + COUNTED) * CENTRAL_HEADER_SIZE;
}

interface DirectoryFields {
  uncompressedSize: number;
  compressedSize: number;
  localHeaderOffset: number;
  disk: number;
}

/** Replaces the fields that overflow the header by those of the ZIP64 extra field, in its order (APPNOTE 4.5.3). */
function applyZip64Fields(fields: DirectoryFields, extra: Uint8Array): DirectoryFields {
  const missing = (["uncompressedSize", "compressedSize", "localHeaderOffset"] as const).filter(
    (key) => fields[key] === 0xffffffff,
  );
  if (missing.length === 0 && fields.disk !== 0xffff) return fields;
  const data = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + data.getUint16(at + 2, true);
    if (end > extra.length) break;
    if (data.getUint16(at, true) !== 0x0001) {
      at = end;
      continue;
    }
    const resolved = { ...fields };
    let value = at + 4;
    for (const key of missing) {
      if (value + 8 > end) throw new InstallerError("archive_damaged");
      resolved[key] = uint64(data, value);
      value += 8;
    }
    if (fields.disk === 0xffff) {
      if (value + 4 > end) throw new InstallerError("archive_damaged");
      resolved.disk = data.getUint32(value, true);
    }
    return resolved;
  }
  throw new InstallerError("archive_damaged");
}

function indexByName(all: DirectoryEntry[]): Map<string, DirectoryEntry> {
  const entries = new Map<string, DirectoryEntry>();
  for (const entry of all) {
    const conflicting = entry.isDirectory ? entry.name.slice(0, -1) : `${entry.name}/`;
    const previous = entries.get(entry.name);
    // Tools that append to an archive list its folders again, which is unambiguous.
    if (previous && isBareFolder(previous) && isBareFolder(entry)) continue;
    if (previous || entries.has(conflicting)) throw new InstallerError("entry_duplicate", { name: entry.name });
    entries.set(entry.name, entry);
  }
  entries.delete(""); // "./", the root itself
  return entries;
}

function isBareFolder(entry: ArchiveEntry): boolean {
  return entry.isDirectory && entry.uncompressedSize === 0;
}

/** For the offset of each local header, the offset of the next entry or of the directory. */
function entryEnds(all: DirectoryEntry[], directoryOffset: number): Map<number, number> {
  const ends = new Map<number, number>();
  const sorted = all.toSorted((a, b) => a.localHeaderOffset - b.localHeaderOffset);
  sorted.forEach((entry, index) => {
    const next = sorted[index + 1]?.localHeaderOffset ?? directoryOffset;
    if (entry.localHeaderOffset + LOCAL_HEADER_SIZE + entry.rawName.length + entry.compressedSize > next) {
      throw new InstallerError("archive_overlapping_entries", { name: entry.name });
    }
    ends.set(entry.localHeaderOffset, next);
  });
  return ends;
}

class ZipArchive implements Archive {
  readonly source: ByteSource;
  readonly centralDirectoryOffset: number;
  readonly centralDirectorySize: number;
  readonly endRecordOffset: number;
  readonly isCountedModulo: boolean;

  constructor(
    private readonly file: TailCachedFile,
    directory: Directory,
    readonly entries: ReadonlyMap<string, DirectoryEntry>,
    private readonly ends: ReadonlyMap<number, number>,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.source = file.source;
    this.centralDirectoryOffset = directory.offset;
    this.centralDirectorySize = directory.size;
    this.endRecordOffset = directory.endRecordOffset;
    this.isCountedModulo = ends.size > directory.count;
  }

  readRange(offset: number, length: number): Promise<Uint8Array> {
    return this.file.read(offset, length);
  }

  async read({ name }: ArchiveEntry, maxBytes: number, options: ReadOptions = {}): Promise<Uint8Array> {
    const entry = this.entries.get(name);
    if (!entry) throw new RangeError(`no entry ${name}`);
    const limit = Math.max(
      Math.min(maxBytes, MAX_ENTRY_BYTES),
      (entry.method === STORED ? options.storedUpTo : options.inflatedUpTo) ?? 0,
    );
    const tooLarge = new InstallerError("entry_too_large", { name, limitKb: Math.floor(limit / 1024) });
    if ((entry.flags & (FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_MASKED_HEADERS)) !== 0) {
      throw new InstallerError("entry_encrypted", { name });
    }
    const stored = entry.method === STORED;
    if (!stored && entry.method !== DEFLATED && !options.unknownMethodIsDeflate) {
      throw new InstallerError("entry_compression_unsupported", { name, method: entry.method });
    }
    // Deflate expands incompressible data by less than this.
    if (entry.uncompressedSize > limit || entry.compressedSize > limit + limit / 8 + EXTRA_FIELD_BYTES) throw tooLarge;
    if (stored && entry.compressedSize !== entry.uncompressedSize) throw new InstallerError("entry_damaged", { name });

    const data = await this.readData(entry, options.unknownMethodIsDeflate ?? false);
    // A size that the caller allows is a limit by itself.
    const maxRatio = entry.uncompressedSize <= (options.inflatedUpTo ?? 0) ? undefined : MAX_COMPRESSION_RATIO;
    const contents = stored ? data : await this.inflateEntry(entry, data, maxRatio);
    if (contents.length !== entry.uncompressedSize || crc32(contents) !== entry.crc32) {
      throw new InstallerError("entry_damaged", { name });
    }
    return contents;
  }

  private async inflateEntry(
    entry: DirectoryEntry,
    data: Uint8Array,
    maxRatio: number | undefined,
  ): Promise<Uint8Array> {
    try {
      return await inflate(
        data,
        "deflate-raw",
        { maxBytes: entry.uncompressedSize, ...(maxRatio !== undefined && { maxRatio }) },
        this.signal,
      );
    } catch (error) {
      if (!(error instanceof InflateError)) throw error;
      const reason = error.reason === "bomb" ? "entry_compression_bomb" : "entry_damaged";
      throw new InstallerError(reason, { name: entry.name });
    }
  }

  /** The data of an entry as stored in the file, read together with its local header, which is checked. */
  private async readData(entry: DirectoryEntry, anyLocalMethod: boolean): Promise<Uint8Array> {
    const start = entry.localHeaderOffset;
    const nameEnd = LOCAL_HEADER_SIZE + entry.rawName.length;
    const region = (this.ends.get(start) as number) - start;
    const first = await this.file.read(start, Math.min(region, nameEnd + entry.compressedSize + EXTRA_FIELD_BYTES));
    const header = viewOf(first);
    const hasDescriptor = (header.getUint16(6, true) & FLAG_DATA_DESCRIPTOR) !== 0;
    if (
      header.getUint32(0, true) !== LOCAL_HEADER ||
      (header.getUint16(8, true) !== entry.method && !anyLocalMethod) ||
      header.getUint16(26, true) !== entry.rawName.length ||
      !entry.rawName.every((byte, index) => first[LOCAL_HEADER_SIZE + index] === byte) ||
      !(hasDescriptor || localHeaderMatches(header, entry))
    ) {
      throw new InstallerError("entry_damaged", { name: entry.name });
    }
    const dataStart = nameEnd + header.getUint16(28, true);
    const dataEnd = dataStart + entry.compressedSize;
    if (dataEnd > region) throw new InstallerError("archive_overlapping_entries", { name: entry.name });
    if (dataEnd <= first.length) return first.subarray(dataStart, dataEnd);
    return this.file.read(start + dataStart, entry.compressedSize);
  }
}

/** Whether a local header repeats the sizes and CRC of the directory; 0xffffffff defers a size to the ZIP64 field. */
function localHeaderMatches(header: DataView, entry: DirectoryEntry): boolean {
  const same = (local: number, central: number) => local === central || local === 0xffffffff;
  return (
    header.getUint32(14, true) === entry.crc32 &&
    same(header.getUint32(18, true), entry.compressedSize) &&
    same(header.getUint32(22, true), entry.uncompressedSize)
  );
}

function uint64(data: DataView, at: number): number {
  const value = data.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new InstallerError("archive_damaged");
  return Number(value);
}
