import { viewOf } from "../encoding/bytes";
import { MAX_LOAD_COMMAND_BYTES } from "../limits";

/** Magic numbers (mach-o/loader.h, mach-o/fat.h). The header of a universal file is big-endian. */
const MAGIC_32 = 0xfeedface;
const MAGIC_64 = 0xfeedfacf;
const FAT_MAGIC = 0xcafebabe;
const FAT_MAGIC_64 = 0xcafebabf;
/** Class files of Java begin like universal files, and have their version where these have the number of slices. */
const MAX_SLICES = 16;
const LC_UUID = 0x1b;
const UUID_COMMAND_BYTES = 24;
/** The first read of a slice; most headers of symbols fit. */
const FIRST_READ_BYTES = 4_096;

const ABI_64 = 0x01000000;
const ABI_64_32 = 0x02000000;
/** Capability bits of a CPU subtype (mach/machine.h). */
const SUBTYPE_CAPABILITIES = 0xff000000;

/** The names of CPU types with their subtypes, as `lipo` writes them; the first one is that of other subtypes. */
const CPU_NAMES = new Map<number, { name: string; subtypes?: Readonly<Record<number, string>> }>([
  [7, { name: "i386" }],
  [7 | ABI_64, { name: "x86_64", subtypes: { 8: "x86_64h" } }],
  [12, { name: "arm", subtypes: { 6: "armv6", 9: "armv7", 11: "armv7s", 12: "armv7k" } }],
  [12 | ABI_64, { name: "arm64", subtypes: { 2: "arm64e" } }],
  [12 | ABI_64_32, { name: "arm64_32" }],
]);

/** The type of files that contain debugging symbols (MH_DSYM). */
export const DSYM_FILE_TYPE = 0xa;

/** A slice of a Mach-O file. */
export interface MachImage {
  /** In upper case with hyphens, as crash reports and `dwarfdump --uuid` write it; null if it has none. */
  uuid: string | null;
  /** Such as `arm64`. */
  architecture: string;
  /** The kind of file (mach-o/loader.h): 2 an executable, 6 a library, 10 symbols. */
  fileType: number;
}

/** A Mach-O file whose headers contradict each other or end early. */
export class MachOError extends Error {
  override readonly name = "MachOError";
}

/** What a Mach-O file is read from; see `EntryReader`. */
interface RangeReader {
  readonly size: number;
  read(range: { offset: number; length: number }): Promise<Uint8Array | null>;
}

/**
 * Reads the headers of all slices of a Mach-O file: thin or universal, of 32 and 64 bits, in both byte orders.
 * @returns null if it is not a Mach-O file
 * @throws MachOError; the errors of the reader
 */
export async function readMachImages(reader: RangeReader): Promise<MachImage[] | null> {
  if (reader.size < 8) return null;
  const start = await reader.read({ offset: 0, length: 8 });
  if (!start) throw new MachOError("it ends early");
  const magic = viewOf(start).getUint32(0);
  if (magic !== FAT_MAGIC && magic !== FAT_MAGIC_64) {
    const image = await readSlice(reader, { offset: 0, length: reader.size });
    return image && [image];
  }
  const count = viewOf(start).getUint32(4);
  if (count === 0 || count > MAX_SLICES) return null;
  const images: MachImage[] = [];
  for (const slice of await readSlices(reader, count, magic === FAT_MAGIC_64)) {
    const image = await readSlice(reader, slice);
    if (!image) throw new MachOError("a slice is not a Mach-O file");
    images.push(image);
  }
  return images;
}

interface Slice {
  offset: number;
  length: number;
}

/** Where the slices of a universal file are, in their order in the file. */
async function readSlices(reader: RangeReader, count: number, is64: boolean): Promise<Slice[]> {
  const entryBytes = is64 ? 32 : 20;
  const table = await reader.read({ offset: 8, length: count * entryBytes });
  if (!table) throw new MachOError("its table of slices ends early");
  const view = viewOf(table);
  const slices = Array.from({ length: count }, (_, index): Slice => {
    const at = index * entryBytes + 8;
    return is64
      ? { offset: Number(view.getBigUint64(at)), length: Number(view.getBigUint64(at + 8)) }
      : { offset: view.getUint32(at), length: view.getUint32(at + 4) };
  }).sort((one, other) => one.offset - other.offset);
  let end = 8 + count * entryBytes;
  for (const { offset, length } of slices) {
    if (offset < end || offset + length > reader.size) throw new MachOError("a slice is not within the file");
    end = offset + length;
  }
  return slices;
}

/** @returns null if the slice is not a Mach-O file */
async function readSlice(reader: RangeReader, slice: Slice): Promise<MachImage | null> {
  const first = await reader.read({ offset: slice.offset, length: Math.min(FIRST_READ_BYTES, slice.length) });
  if (!first) throw new MachOError("it ends early");
  if (first.length < 28) return null;
  const magic = [true, false].map((little) => ({ little, value: viewOf(first).getUint32(0, little) }));
  const order = magic.find(({ value }) => value === MAGIC_32 || value === MAGIC_64);
  if (!order) return null;
  const { little, value } = order;
  const headerBytes = value === MAGIC_64 ? 32 : 28;
  const header = viewOf(first);
  const commandBytes = header.getUint32(20, little);
  if (commandBytes > MAX_LOAD_COMMAND_BYTES || headerBytes + commandBytes > slice.length) {
    throw new MachOError("its load commands are not within the file");
  }
  const length = headerBytes + commandBytes;
  const commands = length <= first.length ? first : await reader.read({ offset: slice.offset, length });
  if (!commands) throw new MachOError("it ends early");
  return {
    uuid: findUuid(viewOf(commands.subarray(headerBytes, length)), header.getUint32(16, little), little),
    architecture: architectureName(header.getUint32(4, little), header.getUint32(8, little)),
    fileType: header.getUint32(12, little),
  };
}

/** The UUID in the load commands of a slice; null if they have none. */
function findUuid(commands: DataView, count: number, little: boolean): string | null {
  let offset = 0;
  let uuid: string | null = null;
  for (let left = count; left > 0; left -= 1) {
    if (offset + 8 > commands.byteLength) throw new MachOError("its load commands end early");
    const size = commands.getUint32(offset + 4, little);
    if (size < 8 || offset + size > commands.byteLength) throw new MachOError("a load command has a wrong size");
    if (commands.getUint32(offset, little) === LC_UUID) {
      if (size !== UUID_COMMAND_BYTES) throw new MachOError("its UUID has a wrong size");
      uuid ??= uuidText(new Uint8Array(commands.buffer, commands.byteOffset + offset + 8, 16));
    }
    offset += size;
  }
  return uuid;
}

function uuidText(bytes: Uint8Array): string | null {
  if (bytes.every((byte) => byte === 0)) return null;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function architectureName(type: number, subtype: number): string {
  const cpu = CPU_NAMES.get(type);
  return cpu?.subtypes?.[(subtype & ~SUBTYPE_CAPABILITIES) >>> 0] ?? cpu?.name ?? `cpu-${type}`;
}
