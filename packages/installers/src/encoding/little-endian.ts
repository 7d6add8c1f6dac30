import { viewOf } from "./bytes";

/** A read beyond the end of a binary structure. */
export class OverrunError extends Error {
  override readonly name = "OverrunError";
}

/**
 * Little-endian access to Android's binary structures (ResourceTypes.h, APK Signing Block). Every read is checked
 * against the length; callers turn the OverrunError into the error of their own format.
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

  /** An unsigned 64-bit size; more than 2^53 − 1 is an overrun. */
  u64(offset: number): number {
    const value = Number(this.#view.getBigUint64(this.#checked(offset, 8), true));
    if (!Number.isSafeInteger(value)) throw new OverrunError("a 64-bit size is out of range");
    return value;
  }

  /** A view of `length` bytes from `offset`. */
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
