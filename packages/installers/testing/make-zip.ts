import { open } from "node:fs/promises";
import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive to be written. Its headers are correct except for the fields in `lies`. */
export interface ZipFile {
  name: string | Uint8Array;
  /** The contents, or a number of zero bytes, which are stored and not held in memory. */
  data: Uint8Array | { zeros: number };
  /** 0 stored (default), 8 deflated; with another number, which is written to the headers, the data is deflated. */
  method?: number;
  /** Additional general purpose bits. */
  flags?: number;
  /** Unix mode; the default is 0o100644. */
  mode?: number;
  /** Writes the sizes after the data instead of into the local header. */
  dataDescriptor?: boolean;
  /** Writes the sizes and the offset as 64-bit fields. */
  zip64?: boolean;
  /** Extra field of the central directory. */
  centralExtra?: Uint8Array;
  /** Extra field of the local header, such as padding for alignment. */
  localExtra?: Uint8Array;
  lies?: {
    crc32?: number;
    compressedSize?: number;
    uncompressedSize?: number;
    localHeaderOffset?: number;
    /** The name in the local header. */
    localName?: string;
    localMethod?: number;
    localCompressedSize?: number;
    localSignature?: number;
    /** Bytes that are appended to the compressed data. */
    trailing?: Uint8Array;
  };
}

export interface ZipOptions {
  comment?: Uint8Array;
  /** Bytes before the first entry. Offsets are from the start of the file. */
  prefix?: Uint8Array;
  /** Bytes between the last entry and the central directory, such as an APK Signing Block. */
  beforeDirectory?: Uint8Array;
  /** Bytes after the end. */
  suffix?: Uint8Array;
  /** Writes the number of entries modulo 65,536 and no ZIP64 record, as the Finder does. */
  count16?: boolean;
  /** Writes the ZIP64 end record even if it is not needed. */
  zip64?: boolean;
  lies?: { count?: number; directorySize?: number; directoryOffset?: number; disk?: number };
}

type Segment = Uint8Array | { zeros: number };

const UTF8_NAMES = 0x0800;
const DATA_DESCRIPTOR = 0x0008;
/** 1980-01-01, the first date of the format. It is fixed so that the output is reproducible. */
const DOS_DATE = 0x0021;
const MAX_32 = 0xffffffff;

/** Makes a ZIP archive in memory. The output is reproducible. */
export function makeZip(files: readonly ZipFile[], options: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const segments = layout(files, options);
  const bytes = new Uint8Array(segments.reduce((total, segment) => total + sizeOf(segment), 0));
  let offset = 0;
  for (const segment of segments) {
    if (segment instanceof Uint8Array) bytes.set(segment, offset);
    offset += sizeOf(segment);
  }
  return bytes;
}

/**
 * Writes a ZIP archive to a file, with runs of zeros as holes: on a file system with sparse files, an archive of many
 * gigabytes takes little time and space.
 * @returns the size of the file in bytes
 */
export async function writeZip(path: string, files: readonly ZipFile[], options: ZipOptions = {}): Promise<number> {
  const file = await open(path, "w");
  try {
    let offset = 0;
    for (const segment of layout(files, options)) {
      if (segment instanceof Uint8Array) await file.write(segment, 0, segment.length, offset);
      offset += sizeOf(segment);
    }
    await file.truncate(offset);
    return offset;
  } finally {
    await file.close();
  }
}

function layout(files: readonly ZipFile[], options: ZipOptions): Segment[] {
  const segments: Segment[] = [options.prefix ?? new Uint8Array()];
  let offset = sizeOf(segments[0] as Segment);
  const add = (...more: Segment[]) => {
    for (const segment of more) {
      segments.push(segment);
      offset += sizeOf(segment);
    }
  };

  const headers: Uint8Array[] = [];
  for (const file of files) {
    const { local, data, descriptor, central } = layoutFile(file, offset);
    add(local, data, descriptor);
    headers.push(central);
  }
  add(options.beforeDirectory ?? new Uint8Array());
  const directoryOffset = offset;
  add(...headers);
  add(endRecords(files.length, offset - directoryOffset, directoryOffset, options));
  add(options.comment ?? new Uint8Array(), options.suffix ?? new Uint8Array());
  return segments;
}

function layoutFile(file: ZipFile, offset: number) {
  const { lies = {}, method = 0 } = file;
  const name = typeof file.name === "string" ? Buffer.from(file.name) : file.name;
  const crc = file.data instanceof Uint8Array ? crc32(file.data) : crc32OfZeros(file.data.zeros);
  const data = compress(file, method);
  const compressed = sizeOf(data);
  const zip64 = file.zip64 === true || Math.max(compressed, sizeOf(file.data), offset) >= MAX_32;
  const flags =
    (file.flags ?? 0) |
    (typeof file.name === "string" ? UTF8_NAMES : 0) |
    (file.dataDescriptor === true ? DATA_DESCRIPTOR : 0);
  const fields = {
    crc: lies.crc32 ?? crc,
    compressed: lies.compressedSize ?? compressed,
    uncompressed: lies.uncompressedSize ?? sizeOf(file.data),
    offset: lies.localHeaderOffset ?? offset,
  };

  const localName = lies.localName === undefined ? name : Buffer.from(lies.localName);
  const localExtra = Buffer.concat([
    zip64 ? zip64Field([fields.uncompressed, fields.compressed]) : new Uint8Array(),
    file.localExtra ?? new Uint8Array(),
  ]);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(lies.localSignature ?? 0x04034b50, 0);
  local.writeUInt16LE(zip64 ? 45 : 20, 4);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(lies.localMethod ?? method, 8);
  local.writeUInt16LE(DOS_DATE, 12);
  if (file.dataDescriptor !== true) {
    local.writeUInt32LE(fields.crc, 14);
    local.writeUInt32LE(zip64 ? MAX_32 : (lies.localCompressedSize ?? fields.compressed), 18);
    local.writeUInt32LE(zip64 ? MAX_32 : fields.uncompressed, 22);
  }
  local.writeUInt16LE(localName.length, 26);
  local.writeUInt16LE(localExtra.length, 28);

  const extra = Buffer.concat([
    zip64 ? zip64Field([fields.uncompressed, fields.compressed, fields.offset]) : new Uint8Array(),
    file.centralExtra ?? new Uint8Array(),
  ]);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE((3 << 8) | 20, 4);
  central.writeUInt16LE(zip64 ? 45 : 20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt16LE(DOS_DATE, 14);
  central.writeUInt32LE(fields.crc, 16);
  central.writeUInt32LE(zip64 ? MAX_32 : fields.compressed, 20);
  central.writeUInt32LE(zip64 ? MAX_32 : fields.uncompressed, 24);
  central.writeUInt16LE(name.length, 28);
  central.writeUInt16LE(extra.length, 30);
  central.writeUInt32LE(((file.mode ?? 0o100644) << 16) >>> 0, 38);
  central.writeUInt32LE(zip64 ? MAX_32 : fields.offset, 42);

  return {
    local: Buffer.concat([local, localName, localExtra]),
    data,
    descriptor: file.dataDescriptor === true ? descriptorOf(fields, zip64) : Buffer.alloc(0),
    central: Buffer.concat([central, name, extra]),
  };
}

function compress(file: ZipFile, method: number): Segment {
  const trailing = file.lies?.trailing ?? new Uint8Array();
  if (!(file.data instanceof Uint8Array)) return file.data;
  return Buffer.concat([method === 0 ? file.data : deflateRawSync(file.data), trailing]);
}

function descriptorOf(fields: { crc: number; compressed: number; uncompressed: number }, zip64: boolean): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x08074b50, 0);
  head.writeUInt32LE(fields.crc, 4);
  return Buffer.concat([
    head,
    ...[fields.compressed, fields.uncompressed].map((size) => (zip64 ? uint64(size) : uint32(size))),
  ]);
}

function endRecords(count: number, size: number, offset: number, options: ZipOptions): Buffer {
  const { lies = {} } = options;
  const fields = {
    count: lies.count ?? count,
    size: lies.directorySize ?? size,
    offset: lies.directoryOffset ?? offset,
    disk: lies.disk ?? 0,
  };
  const isCounted = fields.count < 0xffff || options.count16 === true;
  const zip64 = options.zip64 === true || !isCounted || Math.max(fields.size, fields.offset) >= MAX_32;
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(fields.disk, 4);
  record.writeUInt16LE(fields.disk, 6);
  record.writeUInt16LE(zip64 ? 0xffff : fields.count & 0xffff, 8);
  record.writeUInt16LE(zip64 ? 0xffff : fields.count & 0xffff, 10);
  record.writeUInt32LE(zip64 ? MAX_32 : fields.size, 12);
  record.writeUInt32LE(zip64 ? MAX_32 : fields.offset, 16);
  record.writeUInt16LE(options.comment?.length ?? 0, 20);
  if (!zip64) return record;

  const record64 = Buffer.alloc(24);
  record64.writeUInt32LE(0x06064b50, 0);
  record64.writeBigUInt64LE(44n, 4);
  record64.writeUInt16LE(45, 12);
  record64.writeUInt16LE(45, 14);
  const sizes = [fields.count, fields.count, fields.size, fields.offset].map(uint64);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record64, ...sizes, locator, record]);
}

function zip64Field(values: readonly number[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(0x0001, 0);
  head.writeUInt16LE(values.length * 8, 2);
  return Buffer.concat([head, ...values.map(uint64)]);
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function crc32OfZeros(length: number): number {
  const chunk = new Uint8Array(Math.min(length, 2 ** 24));
  let crc = 0;
  for (let left = length; left > 0; left -= chunk.length) crc = crc32(chunk.subarray(0, left), crc);
  return crc;
}

function sizeOf(segment: Segment): number {
  return segment instanceof Uint8Array ? segment.length : segment.zeros;
}
