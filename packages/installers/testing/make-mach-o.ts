import { makeZip, type ZipFile } from "./make-zip";

const LC_SEGMENT = 0x1;
const LC_SEGMENT_64 = 0x19;
const LC_UUID = 0x1b;

/** CPU types with their subtypes (mach/machine.h). */
const CPUS = {
  arm64: { type: 0x0100000c, subtype: 0 },
  arm64e: { type: 0x0100000c, subtype: 0x80000002 },
  arm64_32: { type: 0x0200000c, subtype: 1 },
  armv7: { type: 12, subtype: 9 },
  armv7s: { type: 12, subtype: 11 },
  x86_64: { type: 0x01000007, subtype: 3 },
  i386: { type: 7, subtype: 3 },
} as const;

/** The architectures that slices are made for. */
export type Architecture = keyof typeof CPUS;
export const ARCHITECTURES = Object.keys(CPUS) as Architecture[];

export interface SliceOptions {
  /** Upper case with hyphens; null for none. */
  uuid: string | null;
  architecture?: Architecture;
  /** 2 an executable (default), 6 a library, 10 symbols. */
  fileType?: number;
  /** The byte order of its headers; little-endian unless true. */
  bigEndian?: boolean;
  /** Bytes after the load commands, which do not compress if they are given. */
  contents?: Uint8Array;
  /** Load commands before that of the UUID. */
  commandsBefore?: number;
}

/** Makes a thin Mach-O file with a segment without contents and a UUID. */
export function makeMachO(options: SliceOptions): Buffer {
  const { uuid, architecture = "arm64", fileType = 2, bigEndian = false, commandsBefore = 1 } = options;
  const { type, subtype } = CPUS[architecture];
  const is64 = type >= 0x01000000 && type < 0x02000000;
  const write = (buffer: Buffer, values: readonly number[], offset = 0) =>
    values.forEach((value, index) => {
      const at = offset + index * 4;
      if (bigEndian) buffer.writeUInt32BE(value >>> 0, at);
      else buffer.writeUInt32LE(value >>> 0, at);
    });
  const segment = Buffer.alloc(is64 ? 72 : 56);
  write(segment, [is64 ? LC_SEGMENT_64 : LC_SEGMENT, segment.length]);
  segment.write("__DWARF", 8);
  const commands = Array.from({ length: commandsBefore }, () => segment);
  if (uuid !== null) {
    const command = Buffer.alloc(24);
    write(command, [LC_UUID, command.length]);
    Buffer.from(uuid.replaceAll("-", ""), "hex").copy(command, 8);
    commands.push(command);
  }
  const header = Buffer.alloc(is64 ? 32 : 28);
  const bytes = commands.reduce((sum, command) => sum + command.length, 0);
  write(header, [is64 ? 0xfeedfacf : 0xfeedface, type, subtype, fileType, commands.length, bytes, 0]);
  return Buffer.concat([header, ...commands, options.contents ?? new Uint8Array()]);
}

/** Makes a universal Mach-O file of slices, which begin at multiples of 4 KiB. @param options.wide with 64-bit offsets */
export function makeFatMachO(slices: readonly SliceOptions[], { wide = false } = {}): Buffer {
  const entryBytes = wide ? 32 : 20;
  const header = Buffer.alloc(8 + slices.length * entryBytes);
  header.writeUInt32BE(wide ? 0xcafebabf : 0xcafebabe, 0);
  header.writeUInt32BE(slices.length, 4);
  const parts: Buffer[] = [header];
  let end = header.length;
  for (const [index, options] of slices.entries()) {
    const slice = makeMachO(options);
    const offset = Math.ceil(end / 4096) * 4096;
    const { type, subtype } = CPUS[options.architecture ?? "arm64"];
    const at = 8 + index * entryBytes;
    header.writeUInt32BE(type, at);
    header.writeUInt32BE(subtype, at + 4);
    if (wide) {
      header.writeBigUInt64BE(BigInt(offset), at + 8);
      header.writeBigUInt64BE(BigInt(slice.length), at + 16);
      header.writeUInt32BE(12, at + 24);
    } else {
      header.writeUInt32BE(offset, at + 8);
      header.writeUInt32BE(slice.length, at + 12);
      header.writeUInt32BE(12, at + 16);
    }
    parts.push(Buffer.alloc(offset - end), slice);
    end = offset + slice.length;
  }
  return Buffer.concat(parts);
}

/** The files of dSYM bundles, by the names of their programs, for archives that are modified. */
export function dsymEntries(programs: { readonly [name: string]: Uint8Array }): ZipFile[] {
  return Object.entries(programs).flatMap(([name, data]) => [
    { name: `${name}.dSYM/Contents/Info.plist`, data: Buffer.from("<plist/>"), method: 8 },
    { name: `${name}.dSYM/Contents/Resources/DWARF/${name}`, data, method: 8 },
  ]);
}

/** Makes a ZIP archive of dSYM bundles, one for each UUID. */
export function makeDsyms(uuids: readonly string[]): Uint8Array<ArrayBuffer> {
  const programs = uuids.map((uuid, index) => [`Program${index}`, makeMachO({ uuid, fileType: 10 })]);
  return makeZip(dsymEntries(Object.fromEntries(programs)));
}

/** Makes a mapping file as R8 writes it. @param mapId of its header; null for a file of ProGuard, which has none */
export function makeMapping(mapId: string | null = "7c5d6e3"): Uint8Array<ArrayBuffer> {
  const header =
    mapId === null
      ? ""
      : `# compiler: R8\n# compiler_version: 8.7.18\n# min_api: 24\n# common_typos_disable\n# {"id":"com.android.tools.r8.mapping","version":"2.2"}\n# pg_map_id: ${mapId}\n# pg_map_hash: SHA-256 ${mapId}\n`;
  return new Uint8Array(
    Buffer.from(`${header}com.example.Cart -> a.b:\n    1:4:void add(int):10:13 -> a\n    int total -> b\n`),
  );
}
