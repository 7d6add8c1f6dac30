import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeZip, type ZipFile } from "../../testing/make-zip";
import { openArchive } from "../archive/archive";
import { bytesSource } from "../source";
import { appFile } from "./app-files";

const FOLDER = "Payload/A.app/";
const data = new Uint8Array(1);
const named = (path: string): ZipFile => ({ name: FOLDER + path, data });
/** A name in an encoding that the archive does not tell. */
const raw = (path: string): ZipFile => ({ name: Buffer.from(FOLDER + path, "latin1"), data });

async function find(path: string, ...files: ZipFile[]): Promise<string | undefined> {
  const archive = await openArchive(bytesSource(makeZip(files)));
  return appFile(archive, FOLDER, path)?.name;
}

describe("a file of an app", () => {
  it("is found by any normalization of its name, its own form first", async () => {
    const [composed, decomposed] = ["Größe".normalize("NFC"), "Größe".normalize("NFD")] as const;
    expect(await find(composed, named(decomposed))).toBe(FOLDER + decomposed);
    expect(await find(decomposed, named(composed))).toBe(FOLDER + composed);
    expect(await find(decomposed, named(composed), named(decomposed))).toBe(FOLDER + decomposed);
    expect(await find("Größe", named("Grösse"))).toBeUndefined();
  });

  it.each([
    ["GB 18030", "应用", "\xd3\xa6\xd3\xc3"],
    ["Shift JIS", "アプリ", "\x83\x41\x83\x76\x83\x8a"],
    ["EUC-KR", "앱", "\xbe\xdb"],
    ["code page 437", "é", "\x82"],
    ["Windows-1252", "é", "\xe9"],
  ])("is found if its name is in %s", async (_, name, bytes) => {
    expect(await find(name, named("other"), raw(bytes))).toBeDefined();
  });

  it("is found by the Unicode name in the extra field of its entry, if that is of the same name", async () => {
    const field = (crc: number) => {
      const text = Buffer.from(`${FOLDER}应用`);
      const header = Buffer.alloc(9);
      header.writeUInt16LE(0x7075, 0);
      header.writeUInt16LE(5 + text.length, 2);
      header.writeUInt8(1, 4);
      header.writeUInt32LE(crc, 5);
      return Buffer.concat([header, text]);
    };
    const name = Buffer.from(`${FOLDER}\xff\xff`, "latin1");
    expect(await find("应用", { name, data, centralExtra: field(crc32(name)) })).toBeDefined();
    expect(await find("应用", { name, data, centralExtra: field(0) })).toBeUndefined();
  });
});
