import type { FileRange } from "../archive/entry-reader";
import { viewOf } from "../encoding/bytes";

/** Bytes from the beginning of an executable that hold its header and most of its load commands. */
export const EXECUTABLE_PREFIX_BYTES = 32_768;

const MAGIC_32 = 0xfeedface;
const MAGIC_64 = 0xfeedfacf;
const FAT_MAGIC = 0xcafebabe;
const MAX_SLICES = 16;
const LC_CODE_SIGNATURE = 0x1d;
const LC_BUILD_VERSION = 0x32;
/** The platforms of simulators in LC_BUILD_VERSION (mach-o/loader.h): iOS, tvOS, watchOS, visionOS. */
const SIMULATORS = new Set([7, 8, 9, 12]);

const ARCHITECTURES = new Map<number, string>([
  [7, "i386"],
  [0x01000007, "x86_64"],
  [12, "armv7"],
  [0x0100000c, "arm64"],
]);

/** What the beginning of a Mach-O executable tells. */
export interface Executable {
  /** The architectures of its slices: `arm64`, `armv7`, `x86_64`, `i386`. */
  architectures: string[];
  /** Whether it was built for a simulator; null where it does not say. */
  simulator: boolean | null;
}

/**
 * Reads the header of an executable (mach-o/loader.h, mach-o/fat.h).
 * @returns null if it is not a Mach-O file
 */
export function parseExecutable(bytes: Uint8Array): Executable | null {
  if (bytes.length < 28) return null;
  const view = viewOf(bytes);
  if (view.getUint32(0, false) === FAT_MAGIC) {
    const count = view.getUint32(4, false);
    if (count === 0 || count > MAX_SLICES || 8 + count * 20 > bytes.length) return null;
    const types = Array.from({ length: count }, (_, index) => view.getUint32(8 + index * 20, false));
    return { architectures: names(types), simulator: null };
  }
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC_32 && magic !== MAGIC_64) return null;
  return {
    architectures: names([view.getUint32(4, true)]),
    simulator: builtForSimulator(view, magic === MAGIC_64 ? 32 : 28),
  };
}

function names(types: readonly number[]): string[] {
  return [...new Set(types.map((type) => ARCHITECTURES.get(type)).filter((name) => name !== undefined))];
}

function builtForSimulator(view: DataView, headerBytes: number): boolean | null {
  const offset = findCommand(view, headerBytes, LC_BUILD_VERSION);
  return offset === null ? null : SIMULATORS.has(view.getUint32(offset + 8, true));
}

/** The offset of the first load command of a type with at least 16 bytes; null if the bytes have none. */
function findCommand(view: DataView, headerBytes: number, type: number): number | null {
  let offset = headerBytes;
  for (let left = view.getUint32(16, true); left > 0 && offset + 16 <= view.byteLength; left -= 1) {
    const size = view.getUint32(offset + 4, true);
    if (view.getUint32(offset, true) === type) return offset;
    if (size < 8) return null;
    offset += size;
  }
  return null;
}

/** Where the slice for current devices is; the file itself if it has one slice. Null if the bytes are not a Mach-O file. */
export function findSlice(bytes: Uint8Array, fileBytes: number): FileRange | null {
  const executable = parseExecutable(bytes);
  if (!executable) return null;
  const view = viewOf(bytes);
  if (view.getUint32(0, false) !== FAT_MAGIC) return { offset: 0, length: fileBytes };
  const slices = Array.from({ length: view.getUint32(4, false) }, (_, index) => {
    const at = 8 + index * 20;
    return { type: view.getUint32(at), offset: view.getUint32(at + 8), length: view.getUint32(at + 12) };
  }).filter(({ offset, length }) => offset + length <= fileBytes);
  return slices.find(({ type }) => ARCHITECTURES.get(type) === "arm64") ?? slices[0] ?? null;
}

/** Where the code signature of a slice is, from the beginning of the slice; null if the header names none. */
export function findCodeSignature(slice: Uint8Array): FileRange | null {
  if (slice.length < 32) return null;
  const view = viewOf(slice);
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC_32 && magic !== MAGIC_64) return null;
  const command = findCommand(view, magic === MAGIC_64 ? 32 : 28, LC_CODE_SIGNATURE);
  if (command === null) return null;
  return { offset: view.getUint32(command + 8, true), length: view.getUint32(command + 12, true) };
}
