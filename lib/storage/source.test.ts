import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type StorageDriver, StorageError } from "./driver";
import { storedSource } from "./source";

const MIB = 1024 * 1024;

/** A store of one object that counts what is asked of it. */
function counting(bytes: Buffer) {
  const asked: { start: number; end: number }[] = [];
  const get: StorageDriver["get"] = async (_key, range) => {
    const { start, end } = range ?? { start: 0, end: bytes.length - 1 };
    asked.push({ start, end });
    return Readable.from([bytes.subarray(start, end + 1)]);
  };
  return { asked, driver: { get } as StorageDriver };
}

describe("a stored object as a source", () => {
  const bytes = randomBytes(3 * MIB + 11);

  it("gives just the bytes that were asked for, wherever they lie", async () => {
    const { driver } = counting(bytes);
    const source = storedSource(driver, "a", bytes.length);
    expect(source.size).toBe(bytes.length);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(2 * MIB), async (offset, wanted) => {
        const length = Math.min(wanted, bytes.length - offset);
        const read = await source.read(offset, length);
        expect(read.length).toBe(length);
        expect(Buffer.compare(read, bytes.subarray(offset, offset + length))).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it("asks once for bytes that lie close together, also when they are read at the same time", async () => {
    const { driver, asked } = counting(bytes);
    const source = storedSource(driver, "a", bytes.length);
    await Promise.all([source.read(10, 20), source.read(40, 4), source.read(1000, 100)]);
    await source.read(500, 3);
    expect(asked).toHaveLength(1);
  });

  it("asks once for all blocks of a read, and only for those that it does not have", async () => {
    const { driver, asked } = counting(bytes);
    const source = storedSource(driver, "a", bytes.length);
    await source.read(100_000, 300_000);
    expect(asked).toHaveLength(1);
    await source.read(50_000, 400_000);
    expect(asked).toHaveLength(3);
    expect(asked[1]?.end).toBeLessThan(100_000);
    expect(asked[2]?.start).toBeGreaterThan(399_999);
  });

  it.each([10 * MIB, 4 * 1024 * MIB])("fetches little more than is asked of a file of %i bytes", async (size) => {
    const asked: number[] = [];
    const driver = {
      get: async (_key: string, range: { start: number; end: number }) => {
        asked.push(range.end - range.start + 1);
        return Readable.from([Buffer.alloc(range.end - range.start + 1)]);
      },
    } as unknown as StorageDriver;
    const source = storedSource(driver, "a", size);
    await source.read(size - 22, 22);
    await source.read(0, 4);
    expect(asked).toHaveLength(2);
    expect(Math.max(...asked)).toBeLessThan(size / 500);
  });

  it("keeps no more than a few megabytes", async () => {
    const { driver, asked } = counting(bytes);
    const size = 400 * MIB;
    const large = {
      get: async (key: string, range: { start: number; end: number }) => {
        await driver.get(key, range);
        return Readable.from([Buffer.alloc(range.end - range.start + 1)]);
      },
    } as unknown as StorageDriver;
    const source = storedSource(large, "a", size);
    for (let offset = 0; offset < 40 * MIB; offset += MIB) await source.read(offset, 10);
    const before = asked.length;
    await source.read(39 * MIB, 10);
    expect(asked).toHaveLength(before);
    for (let offset = 40 * MIB; offset < 140 * MIB; offset += MIB) await source.read(offset, 10);
    await source.read(0, 10);
    expect(asked.length).toBe(before + 101);
  });

  it("reads nothing without asking, and refuses what is not in the file", async () => {
    const { driver, asked } = counting(bytes);
    const source = storedSource(driver, "a", bytes.length);
    expect(await source.read(bytes.length, 0)).toEqual(new Uint8Array(0));
    for (const [offset, length] of [
      [bytes.length, 1],
      [-1, 1],
      [0, -1],
      [0.5, 1],
      [0, Number.NaN],
      [0, bytes.length + 1],
    ] as const) {
      await expect(source.read(offset, length)).rejects.toThrow(RangeError);
    }
    expect(asked).toHaveLength(0);
  });

  it("fails where the store fails or gives too little or too much, and asks again the next time", async () => {
    let answer: () => Promise<Readable> = async () => {
      throw new StorageError("unavailable");
    };
    const source = storedSource({ get: () => answer() } as unknown as StorageDriver, "a", 100);
    await expect(source.read(0, 10)).rejects.toThrow(new StorageError("unavailable"));
    for (const length of [0, 99, 101]) {
      answer = async () => Readable.from([Buffer.alloc(length)], { objectMode: length > 0 });
      await expect(source.read(0, 10)).rejects.toThrow(new StorageError("unavailable"));
    }
    answer = async () => Readable.from([Buffer.alloc(100, 7)]);
    expect(await source.read(0, 2)).toEqual(new Uint8Array([7, 7]));
  });
});
