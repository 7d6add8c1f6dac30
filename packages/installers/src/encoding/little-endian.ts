import { viewOf } from "./bytes";

/** Why a range of a binary structure could not be read: it lies outside the bytes. */
export class OverrunError extends Error {
  override readonly name = "OverrunError";
}

/**
 * Little-endian access to the binary structures of Android (ResourceTypes.h, APK Signing Block). Every read is
 * checked against the bytes that are there; callers turn the OverrunError into the refusal of what they read.
 */
export class LittleEndian {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(offset: number): number {
    return this.#view.getUint8(this.#checked(offset, 1));
  }

  u16(offset: number): number {
    return this.#view.getUint16(this.#checked(offset, 2), true);
  }

  u32(offset: number): number {
    return this.#view.getUint32(this.#checked(offset, 4), true);
  }

  i32(offset: number): number {
    return this.#view.getInt32(this.#checked(offset, 4), true);
  }

  f32(offset: number): number {
    return this.#view.getFloat32(this.#checked(offset, 4), true);
  }

  /** An unsigned 64-bit number; one past 2^53 cannot be the size of anything here and is an overrun. */
  u64(offset: number): number {
    const value = Number(this.#view.getBigUint64(this.#checked(offset, 8), true));
    if (!Number.isSafeInteger(value)) throw new OverrunError("a 64-bit size is out of range");
    return value;
  }

  /** `length` bytes from `offset`, without a copy. */
  slice(offset: number, length: number): Uint8Array {
    this.#checked(offset, length);
    return this.bytes.subarray(offset, offset + length);
  }

  #checked(offset: number, length: number): number {
    if (offset < 0 || length < 0 || offset + length > this.bytes.length) {
      throw new OverrunError(`${length} bytes at ${offset} of ${this.bytes.length}`);
    }
    return offset;
  }
}

/** Whether two byte strings are equal. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
