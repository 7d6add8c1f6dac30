import type { FileRange } from "../archive/entry-reader";
import { viewOf } from "../encoding/bytes";
import type { ExecutablePlatform } from "../types";

/** Bytes from the beginning of an executable that hold its header and most of its load commands. */
export const EXECUTABLE_PREFIX_BYTES = 32_768;

const MAGIC_32 = 0xfeedface;
const MAGIC_64 = 0xfeedfacf;
const FAT_MAGIC = 0xcafebabe;
const MAX_SLICES = 16;
const LC_CODE_SIGNATURE = 0x1d;
const LC_BUILD_VERSION = 0x32;
/** The platforms of LC_BUILD_VERSION (mach-o/loader.h). */
const PLATFORMS = new Map<number, ExecutablePlatform>([
  [1, "macos"],
  [2, "ios"],
  [3, "tvos"],
  [4, "watchos"],
  [6, "macos"],
  [7, "ios"],
  [8, "tvos"],
  [9, "watchos"],
  [11, "visionos"],
  [12, "visionos"],
]);
/** Those of simulators. */
const SIMULATORS = new Set([7, 8, 9, 12]);
/** The load commands that named the platform before. */
const MINIMUM_VERSIONS = new Map<number, ExecutablePlatform>([
  [0x24, "macos"],
  [0x25, "ios"],
  [0x2f, "tvos"],
  [0x30, "watchos"],
]);

const ARCHITECTURES = new Map<number, string>([
  [7, "i386"],
  [0x01000007, "x86_64"],
  [12, "armv7"],
  [0x0100000c, "arm64"],
  [0x0200000c, "arm64_32"],
]);

/** What the beginning of a Mach-O executable tells. */
export interface Executable {
  /** The architectures of its slices: `arm64`, `armv7`, `x86_64`, `i386`. */
  architectures: string[];
  /** Whether all of them were built for a simulator; null where they do not say. */
  simulator: boolean | null;
  /** The systems that they were built for, that of a simulator as that of its devices; empty where one does not say. */
  platforms: ExecutablePlatform[];
}

type SliceHeader = Omit<Executable, "platforms"> & { platform: ExecutablePlatform | null };

/**
 * Reads the header of an executable (mach-o/loader.h, mach-o/fat.h).
 * @param bytes its beginning
 * @param headerOf the beginning of a slice of a universal file; null if it is not known
 * @returns null if it is not a Mach-O file
 */
export function parseExecutable(
  bytes: Uint8Array,
  headerOf: (slice: FileRange) => Uint8Array | null = ({ offset, length }) => bytes.subarray(offset, offset + length),
): Executable | null {
  const slices = slicesOf(bytes);
  if (!slices) {
    const header = parseSlice(bytes);
    return header && executableOf(header.architectures, [header]);
  }
  const types = slices.map(({ type }) => ARCHITECTURES.get(type)).filter((name) => name !== undefined);
  return executableOf(
    types,
    slices.map((slice) => parseSlice(headerOf(slice) ?? new Uint8Array())),
  );
}

/** The parts of a universal file; null if the bytes are none. */
export function slicesOf(bytes: Uint8Array): (FileRange & { type: number })[] | null {
  if (bytes.length < 28) return null;
  const view = viewOf(bytes);
  const count = view.getUint32(4);
  if (view.getUint32(0) !== FAT_MAGIC || count === 0 || count > MAX_SLICES || 8 + count * 20 > bytes.length)
    return null;
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * 20;
    return { type: view.getUint32(at), offset: view.getUint32(at + 8), length: view.getUint32(at + 12) };
  });
}

function executableOf(architectures: readonly string[], slices: readonly (SliceHeader | null)[]): Executable {
  const known = slices.filter((slice) => slice !== null);
  const simulators = new Set(known.map(({ simulator }) => simulator));
  const isKnown = known.length === slices.length;
  const platforms = known.map(({ platform }) => platform).filter((platform) => platform !== null);
  return {
    architectures: [...new Set(architectures)],
    simulator: simulators.has(false) ? false : isKnown && !simulators.has(null) ? true : null,
    platforms: isKnown && platforms.length === slices.length ? [...new Set(platforms)] : [],
  };
}

function parseSlice(bytes: Uint8Array): SliceHeader | null {
  if (bytes.length < 28) return null;
  const view = viewOf(bytes);
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC_32 && magic !== MAGIC_64) return null;
  const architecture = ARCHITECTURES.get(view.getUint32(4, true));
  const headerBytes = magic === MAGIC_64 ? 32 : 28;
  const build = findCommand(view, headerBytes, [LC_BUILD_VERSION]);
  const number = build === null ? null : view.getUint32(build + 8, true);
  const older = build === null ? findCommand(view, headerBytes, [...MINIMUM_VERSIONS.keys()]) : null;
  return {
    architectures: architecture === undefined ? [] : [architecture],
    simulator: number === null ? null : SIMULATORS.has(number),
    platform:
      older === null
        ? (PLATFORMS.get(number ?? 0) ?? null)
        : (MINIMUM_VERSIONS.get(view.getUint32(older, true)) ?? null),
  };
}

/** The offset of the first load command of some types with at least 16 bytes; null if the bytes have none. */
function findCommand(view: DataView, headerBytes: number, types: readonly number[]): number | null {
  let offset = headerBytes;
  for (let left = view.getUint32(16, true); left > 0 && offset + 16 <= view.byteLength; left -= 1) {
    const size = view.getUint32(offset + 4, true);
    if (types.includes(view.getUint32(offset, true))) return offset;
    if (size < 8) return null;
    offset += size;
  }
  return null;
}

/** Where the slice for current devices is; the file itself if it has one slice. Null if the bytes are not a Mach-O file. */
export function findSlice(bytes: Uint8Array, fileBytes: number): FileRange | null {
  const all = slicesOf(bytes);
  if (!all) return parseExecutable(bytes) ? { offset: 0, length: fileBytes } : null;
  const slices = all.filter(({ offset, length }) => offset + length <= fileBytes);
  return slices.find(({ type }) => ARCHITECTURES.get(type) === "arm64") ?? slices[0] ?? null;
}

/** Where the code signature of a slice is, from the beginning of the slice; null if the header names none. */
export function findCodeSignature(slice: Uint8Array): FileRange | null {
  if (slice.length < 32) return null;
  const view = viewOf(slice);
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC_32 && magic !== MAGIC_64) return null;
  const command = findCommand(view, magic === MAGIC_64 ? 32 : 28, [LC_CODE_SIGNATURE]);
  if (command === null) return null;
  return { offset: view.getUint32(command + 8, true), length: view.getUint32(command + 12, true) };
}
