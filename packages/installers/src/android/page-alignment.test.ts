import { describe, expect, it } from "vitest";
import { makeZip, type ZipFile } from "../../testing/make-zip";
import { openArchive } from "../archive/archive";
import { bytesSource } from "../source";
import { isPageAligned } from "./page-alignment";

const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/;

/** The header of a 64-bit library with one loadable segment. */
function library(alignment: number): Uint8Array {
  const bytes = Buffer.alloc(64 + 56);
  bytes.write("\x7fELF\x02\x01", "latin1");
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(1, 64);
  bytes.writeBigUInt64LE(BigInt(alignment), 64 + 48);
  return bytes;
}

const aligned = async (...files: ZipFile[]) => isPageAligned(await openArchive(bytesSource(makeZip(files))), LIBRARY);

describe("the alignment of libraries", () => {
  it("is 16 KB if the segments of all 64-bit libraries say so", async () => {
    const good = { name: "lib/arm64-v8a/a.so", data: library(16_384), method: 8 } as const;
    expect(await aligned(good)).toBe(true);
    expect(await aligned(good, { name: "lib/x86_64/b.so", data: library(4_096), method: 8 })).toBe(false);
  });

  it("does not concern 32-bit libraries, nor an app without libraries", async () => {
    expect(await aligned({ name: "lib/armeabi-v7a/a.so", data: library(4_096), method: 8 })).toBe(true);
    expect(await aligned({ name: "classes.dex", data: library(4_096), method: 8 })).toBe(true);
  });

  it("concerns where a library that is not compressed begins in the archive", async () => {
    const name = "lib/arm64-v8a/a.so";
    const at = (offset: number): ZipFile[] => [
      { name: "pad", data: new Uint8Array(offset - 30 - 3 - 30 - name.length) },
      { name, data: library(16_384) },
    ];
    expect(await aligned(...at(16_384))).toBe(true);
    expect(await aligned(...at(16_388))).toBe(false);
  });

  it("is not known if a library is none", async () => {
    expect(await aligned({ name: "lib/arm64-v8a/a.so", data: Buffer.from("text"), method: 8 })).toBeNull();
  });
});
