import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeIpa } from "../../testing/make-ipa";
import {
  ARCHITECTURES,
  dsymEntries,
  makeDsyms,
  makeFatMachO,
  makeMachO,
  makeMapping,
  type SliceOptions,
} from "../../testing/make-mach-o";
import { makeZip, writeZip, type ZipFile } from "../../testing/make-zip";
import { InstallerError } from "../errors";
import { MAX_SYMBOL_FILES } from "../limits";
import { openFileSource } from "../node";
import { type ByteSource, bytesSource } from "../source";
import { ipaBinaries } from "./binaries";
import { readDsyms } from "./dsym";
import { SymbolsError } from "./errors";
import { readMapping } from "./mapping";
import { matchSymbols } from "./match";

const aUuid = () => {
  const hex = randomBytes(16).toString("hex").toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
const uuids = fc.uint8Array({ minLength: 16, maxLength: 16 }).filter((bytes) => bytes.some((byte) => byte !== 0));
const textOf = (bytes: Uint8Array) => {
  const hex = Buffer.from(bytes).toString("hex").toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

/** A source that counts the bytes that are read of it. */
function counted(source: ByteSource): ByteSource & { bytes: number } {
  const counting = {
    size: source.size,
    bytes: 0,
    read(offset: number, length: number) {
      counting.bytes += length;
      return source.read(offset, length);
    },
  };
  return counting;
}

const dsymOf = (file: Uint8Array, more: Partial<ZipFile> = {}) =>
  makeZip(dsymEntries({ Example: file }).map((entry) => ({ ...entry, ...more })));
const read = (bytes: Uint8Array) => readDsyms(bytesSource(bytes));
const refusalOf = (promise: Promise<unknown>): Promise<[reason: unknown, params: unknown]> =>
  promise.then(
    (result) => ["accepted", result],
    (error) => [error.reason, error.params],
  );

describe("the UUIDs of dSYM bundles", () => {
  const slices = fc.record<SliceOptions>({
    uuid: uuids.map(textOf),
    architecture: fc.constantFrom(...ARCHITECTURES),
    fileType: fc.constant(10),
    bigEndian: fc.boolean(),
    commandsBefore: fc.nat(200),
    contents: fc.uint8Array({ maxLength: 10_000 }),
  });

  it("are read of thin files of each architecture, word size and byte order", async () => {
    await fc.assert(
      fc.asyncProperty(slices, fc.constantFrom(0, 8), async (slice, method) => {
        const { uuid, architecture } = slice;
        expect(await read(dsymOf(makeMachO(slice), { method }))).toEqual([{ uuid, architecture, name: "Example" }]);
      }),
      { numRuns: 60 },
    );
  });

  it("are read of all slices of universal files, compressed or not", async () => {
    const several = fc.uniqueArray(slices, { minLength: 1, maxLength: 6, selector: ({ uuid }) => uuid });
    await fc.assert(
      fc.asyncProperty(several, fc.boolean(), fc.constantFrom(0, 8), async (fat, wide, method) => {
        const images = await read(dsymOf(makeFatMachO(fat, { wide }), { method }));
        expect(images.map(({ uuid }) => uuid)).toEqual(fat.map(({ uuid }) => uuid));
        expect(images.map(({ architecture }) => architecture)).toEqual(fat.map(({ architecture }) => architecture));
      }),
      { numRuns: 40 },
    );
  });

  it("are found in bundles at any depth and in the contents of one, and not among what the Finder adds", async () => {
    const [first, second, third] = [aUuid(), aUuid(), aUuid()];
    const file = (name: string, uuid: string) => ({ name, data: makeMachO({ uuid, fileType: 10 }) });
    const images = await read(
      makeZip([
        file("App.xcarchive/dSYMs/App.app.dSYM/Contents/Resources/DWARF/App", first),
        file("Contents/Resources/DWARF/Kit", second),
        file("__MACOSX/App.app.dSYM/Contents/Resources/DWARF/._App", third),
        file("App.app.dSYM/Contents/Resources/Relocations/App", third),
      ]),
    );
    expect(images.map(({ uuid, name }) => [uuid, name])).toEqual([
      [first, "App"],
      [second, "Kit"],
    ]);
  });

  it("of programs instead of symbols are none", async () => {
    const program = makeMachO({ uuid: aUuid(), fileType: 2 });
    expect(await refusalOf(read(dsymOf(program)))).toEqual(["dsym_missing", {}]);
    expect(await refusalOf(read(makeIpa()))).toEqual(["dsym_missing", {}]);
    expect(await refusalOf(read(dsymOf(makeMachO({ uuid: null, fileType: 10 }))))).toEqual(["dsym_missing", {}]);
  });
});

describe("hostile archives of dSYM bundles", () => {
  it("are refused with a reason if they are no archive, cut off or leave their folder", async () => {
    const zip = makeDsyms([aUuid()]);
    expect(await refusalOf(read(new Uint8Array()))).toEqual(["file_empty", {}]);
    expect(await refusalOf(read(Buffer.from("not a zip")))).toEqual(["archive_unreadable", {}]);
    expect(await refusalOf(read(zip.subarray(0, zip.length - 30)))).toEqual(["archive_unreadable", {}]);
    const name = "../Example.dSYM/Contents/Resources/DWARF/Example";
    const outside = makeZip([{ name, data: makeMachO({ uuid: aUuid(), fileType: 10 }) }]);
    expect(await refusalOf(read(outside))).toEqual(["archive_unsafe", { name }]);
    const [, encrypted] = await refusalOf(read(dsymOf(makeMachO({ uuid: aUuid() }), { flags: 1 })));
    expect(encrypted).toEqual({ name: "Example.dSYM/Contents/Resources/DWARF/Example" });
  });

  it("with more files than are read are refused", async () => {
    const symbols = makeMachO({ uuid: aUuid(), fileType: 10 });
    const programs = Object.fromEntries(Array.from({ length: MAX_SYMBOL_FILES + 1 }, (_, index) => [index, symbols]));
    const [reason] = await refusalOf(read(makeZip(dsymEntries(programs))));
    expect(reason).toBe("archive_too_many_entries");
    const many = Array.from({ length: 100_001 }, (_, index) => ({ name: String(index), data: new Uint8Array() }));
    expect(await refusalOf(read(makeZip(many)))).toEqual(["archive_too_many_entries", { limit: 100_000 }]);
  });

  it.each<[string, (file: Buffer) => void]>([
    ["a load command without a size", (file) => file.writeUInt32LE(0, 36)],
    ["a load command that is larger than all", (file) => file.writeUInt32LE(0xffffffff, 36)],
    ["more load commands than there are", (file) => file.writeUInt32LE(0xffffffff, 16)],
    ["load commands beyond the file", (file) => file.writeUInt32LE(0xfffffff0, 20)],
    ["a UUID of another size", (file) => file.writeUInt32LE(16, 32 + 72 + 4)],
  ])("with %s are damaged", async (_, damage) => {
    const file = makeMachO({ uuid: aUuid(), fileType: 10 });
    damage(file);
    const name = "Example.dSYM/Contents/Resources/DWARF/Example";
    expect(await refusalOf(read(dsymOf(file)))).toEqual(["dsym_damaged", { name }]);
  });

  it("with slices that overlap or lie beyond the file are damaged", async () => {
    const fat = () => makeFatMachO([{ uuid: aUuid() }, { uuid: aUuid(), architecture: "armv7" }]);
    const overlapping = fat();
    overlapping.writeUInt32BE(overlapping.readUInt32BE(16), 36);
    const beyond = fat();
    beyond.writeUInt32BE(0xfffff000, 36);
    for (const file of [overlapping, beyond, fat().subarray(0, 5_000)]) {
      expect((await refusalOf(read(dsymOf(file))))[0]).toBe("dsym_damaged");
    }
  });

  it("are read or refused, whatever bytes of them change", async () => {
    const fat = makeFatMachO([
      { uuid: aUuid(), fileType: 10 },
      { uuid: aUuid(), fileType: 10, architecture: "x86_64", bigEndian: true },
    ]);
    const originals = [dsymOf(fat), dsymOf(fat, { method: 0 })];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...originals), changes, async (original, changed) => {
        const bytes = new Uint8Array(original);
        for (const [at, value] of changed) bytes[at % bytes.length] = value;
        const outcome = await read(bytes).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof SymbolsError).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

describe("large archives", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "slipway-symbols-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("of 5 GB are read by ranges", async () => {
    const path = join(folder, "large.zip");
    const [symbols] = dsymEntries({ Example: makeMachO({ uuid: aUuid(), fileType: 10 }) }).slice(1);
    const size = await writeZip(path, [{ name: "filler", data: { zeros: 5_000_000_000 } }, symbols as ZipFile]);
    await using file = await openFileSource(path);
    const source = counted(file);
    expect(await readDsyms(source)).toHaveLength(1);
    expect(size).toBeGreaterThan(5_000_000_000);
    expect(source.bytes).toBeLessThan(200_000);
  });

  it("that decompress to more than they say, or to much, take no more than what is needed", async () => {
    // 64 MiB of zeros behind the header of a thin file: 64 kB compressed.
    const file = Buffer.concat([makeMachO({ uuid: aUuid(), fileType: 10 }), Buffer.alloc(64 * 1024 * 1024)]);
    const before = process.memoryUsage().arrayBuffers;
    const zip = dsymOf(file);
    expect(await read(zip)).toHaveLength(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 * 1024 * 1024);
  });
});

describe("the programs of an app", () => {
  const [app, kit, library, swift, extension] = [aUuid(), aUuid(), aUuid(), aUuid(), aUuid()];
  const ipa = makeIpa({
    info: { CFBundleExecutable: "Main" },
    files: {
      Main: makeFatMachO([{ uuid: app }, { uuid: aUuid(), architecture: "armv7" }]),
      "Frameworks/Kit.framework/Kit": makeMachO({ uuid: kit, fileType: 6 }),
      "Frameworks/libfast.dylib": makeMachO({ uuid: library, fileType: 6 }),
      "Frameworks/libswiftCore.dylib": makeMachO({ uuid: swift, fileType: 6 }),
      "Frameworks/Broken.framework/Broken": Buffer.from("feedfacf", "hex"),
      "PlugIns/Share.appex/Info.plist": Buffer.from(
        '<plist version="1.0"><dict><key>CFBundleExecutable</key><string>Sharing</string></dict></plist>',
      ),
      "PlugIns/Share.appex/Sharing": makeMachO({ uuid: extension }),
      "notes.txt": Buffer.from("no program"),
    },
  });

  it("are its executable, frameworks, libraries and extensions, without the libraries of Swift", async () => {
    const binaries = await ipaBinaries(bytesSource(ipa));
    expect(binaries?.map(({ name, architecture }) => [name, architecture])).toEqual([
      ["Main", "arm64"],
      ["Main", "armv7"],
      ["Frameworks/libfast.dylib", "arm64"],
      ["Frameworks/Kit.framework/Kit", "arm64"],
      ["PlugIns/Share.appex/Sharing", "arm64"],
    ]);
    expect(binaries?.map(({ uuid }) => uuid)).not.toContain(swift);
  });

  it("are matched to symbols by their UUIDs", async () => {
    const binaries = (await ipaBinaries(bytesSource(ipa))) ?? [];
    const symbols = await read(makeDsyms([kit, library]));
    const foreign = await read(makeDsyms([aUuid()]));
    const { matched, missing, foreign: others } = matchSymbols(binaries, [...symbols, ...foreign]);
    expect(matched.map(({ uuid }) => uuid)).toEqual([library, kit]);
    expect(missing.map(({ name }) => name)).toEqual(["Main", "Main", "PlugIns/Share.appex/Sharing"]);
    expect(others).toEqual(foreign);
  });

  it("are none for other installers, and damaged archives are refused", async () => {
    expect(await ipaBinaries(bytesSource(makeZip([{ name: "a", data: new Uint8Array() }])))).toBeNull();
    await expect(ipaBinaries(bytesSource(ipa.subarray(0, 1_000)))).rejects.toBeInstanceOf(InstallerError);
  });
});

describe("mapping files", () => {
  const readText = (text: string | Uint8Array) =>
    readMapping(bytesSource(typeof text === "string" ? Buffer.from(text) : text));

  it("of R8 have the facts of their header, and those of ProGuard have none", async () => {
    expect(await readText(makeMapping("abc1234"))).toEqual({
      compiler: "R8",
      compilerVersion: "8.7.18",
      mapId: "abc1234",
      minApi: "24",
    });
    const none = { compiler: null, compilerVersion: null, mapId: null, minApi: null };
    expect(await readText(makeMapping(null))).toEqual(none);
    expect(await readText("com.example.Añadir -> a:\r\n")).toEqual(none);
  });

  it("are refused if they are empty, no text, or name no class", async () => {
    expect(await refusalOf(readText(""))).toEqual(["file_empty", {}]);
    expect(await refusalOf(readText("hello\nworld\n"))).toEqual(["mapping_without_classes", {}]);
    expect(await refusalOf(readText(makeDsyms([aUuid()])))).toEqual(["mapping_not_text", {}]);
    const binaryLater = Buffer.concat([makeMapping(), Buffer.alloc(3 * 1024 * 1024, "a"), Buffer.from([0xff])]);
    expect(await refusalOf(readText(binaryLater))).toEqual(["mapping_not_text", {}]);
    const nul = Buffer.concat([makeMapping(), Buffer.alloc(3 * 1024 * 1024, "a"), Buffer.from([0])]);
    expect(await refusalOf(readText(nul))).toEqual(["mapping_not_text", {}]);
  });

  it("with characters across the pieces that are read are text", async () => {
    const text = `com.example.Cart -> a:\n# ${"ñ".repeat(1_100_000)}`;
    for (const padding of ["", "x"]) expect(await readText(padding + text)).toMatchObject({ compiler: null });
  });

  it("beyond the limit are refused without a read", async () => {
    const huge = { size: 5_000_000_000, read: () => Promise.reject(new Error("it was read")) };
    expect(await refusalOf(readMapping(huge))).toEqual(["mapping_too_large", { limitMb: 1_024 }]);
  });
});
