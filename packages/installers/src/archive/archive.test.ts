import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { makeZip, type ZipFile, type ZipOptions } from "../../testing/make-zip";
import { countingSource } from "../../testing/sources";
import { InstallerError, type InstallerErrorReason } from "../errors";
import { MAX_ENTRIES, MAX_ENTRY_BYTES } from "../limits";
import { type ByteSource, bytesSource } from "../source";
import { type Archive, openArchive } from "./archive";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const text = (value: string) => new TextEncoder().encode(value);
const file = (name: string, value = name, more: Partial<ZipFile> = {}): ZipFile => ({
  name,
  data: text(value),
  ...more,
});
const open = (files: ZipFile[], options?: ZipOptions) => openArchive(bytesSource(makeZip(files, options)));

async function readText(archive: Archive, name: string, maxBytes = MAX_ENTRY_BYTES): Promise<string> {
  const entry = archive.entries.get(name);
  if (!entry) throw new Error(`no ${name}`);
  return new TextDecoder().decode(await archive.read(entry, maxBytes));
}

async function reasonOf(promise: Promise<unknown>): Promise<InstallerErrorReason> {
  const error = await promise.then(
    () => new Error("nothing was refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InstallerError)) throw error;
  return error.reason;
}

const refusal = (files: ZipFile[], options?: ZipOptions) => reasonOf(open(files, options));
const readRefusal = async (files: ZipFile[], name: string, maxBytes?: number) =>
  reasonOf(readText(await open(files), name, maxBytes));

describe("reading", () => {
  test("stored and deflated entries are restored", async () => {
    const archive = await open([file("a.txt"), file("b/c.txt", "x".repeat(5000), { method: 8 }), file("empty", "")]);
    expect([...archive.entries.keys()]).toEqual(["a.txt", "b/c.txt", "empty"]);
    expect(await readText(archive, "a.txt")).toBe("a.txt");
    expect(await readText(archive, "b/c.txt")).toBe("x".repeat(5000));
    expect(await readText(archive, "empty")).toBe("");
  });

  test("a comment, data descriptors, ZIP64 fields, alignment and bytes before the directory are supported", async () => {
    const files = [
      file("described", "one", { dataDescriptor: true, method: 8 }),
      file("wide", "two", { zip64: true }),
      file("wide and described", "three", { zip64: true, dataDescriptor: true, method: 8 }),
      file("aligned", "four", { localExtra: new Uint8Array(4093) }),
      file("far aligned", "five", { localExtra: new Uint8Array(16_000) }),
    ];
    for (const zip64 of [false, true]) {
      const archive = await open(files, {
        zip64,
        comment: text("PK\x05\x06 a comment"),
        beforeDirectory: text("block"),
      });
      const read = await Promise.all(files.map(({ name }) => readText(archive, name as string)));
      expect(read).toEqual(["one", "two", "three", "four", "five"]);
      expect(archive.entries.get("wide")?.uncompressedSize).toBe(3);
    }
  });

  test("the end record is found before the longest comment, also when the comment contains one", async () => {
    const comment = new Uint8Array(0xffff).fill(0x20);
    comment.set([0x50, 0x4b, 0x05, 0x06], 60_000);
    const archive = await open([file("a", "x".repeat(100_000))], { comment });
    expect(await readText(archive, "a")).toHaveLength(100_000);
  });

  test("the offsets of the directory and the end record are those of the file", async () => {
    const bytes = makeZip([file("a")], { beforeDirectory: text("signing block") });
    const archive = await openArchive(bytesSource(bytes));
    const before = await archive.readRange(archive.centralDirectoryOffset - 13, 13);
    expect(new TextDecoder().decode(before)).toBe("signing block");
    expect(archive.centralDirectoryOffset + archive.centralDirectorySize).toBe(archive.endRecordOffset);
    expect(archive.endRecordOffset).toBe(bytes.length - 22);
  });

  test("names are UTF-8 with or without its flag, else code page 437", async () => {
    const archive = await open([
      file("Größe/ñ.txt"),
      { name: text("日本.txt"), data: text("1") },
      { name: Uint8Array.of(0x81, 0x2e, 0x80), data: text("2") },
    ]);
    expect([...archive.entries.keys()]).toEqual(["Größe/ñ.txt", "日本.txt", "ü.Ç"]);
    expect(await readText(archive, "ü.Ç")).toBe("2");
  });

  test("a leading ./ is ignored, and the root is not an entry", async () => {
    const archive = await open([file("./", ""), file("./Payload/a"), file("././b")]);
    expect([...archive.entries.keys()]).toEqual(["Payload/a", "b"]);
    expect(await readText(archive, "Payload/a")).toBe("./Payload/a");
  });

  test("an archive of a hundred thousand entries opens in three reads", async () => {
    const files = Array.from({ length: MAX_ENTRIES }, (_, index) => file(`f${index}`, ""));
    const source = countingSource(bytesSource(makeZip(files)));
    const archive = await openArchive(source);
    expect(archive.entries.size).toBe(MAX_ENTRIES);
    expect(source.reads).toBe(3); // the first bytes, the end, and the directory before it
  });

  test("an entry costs one read, its header included", async () => {
    const padding = { name: "large", data: { zeros: 2_000_000 } };
    const source = countingSource(bytesSource(makeZip([file("a", "y".repeat(3000)), padding, file("b")])));
    const archive = await openArchive(source);
    const before = source.reads;
    await readText(archive, "a");
    expect(source.reads).toBe(before + 1);
    expect(source.bytesRead).toBeLessThan(25_000);
  });

  test("an unknown method is treated as deflate only on request", async () => {
    const archive = await open([file("a", "z".repeat(100), { method: 21 })]);
    const entry = archive.entries.get("a");
    if (!entry) throw new Error("no entry");
    expect(await reasonOf(archive.read(entry, 1000))).toBe("entry_compression_unsupported");
    expect(await archive.read(entry, 1000, { unknownMethodIsDeflate: true })).toEqual(text("z".repeat(100)));
  });

  test("a folder may be listed twice, as by tools that append to an archive", async () => {
    const archive = await open([file("a/", ""), file("a/b", "one"), file("a/", ""), file("c", "two")]);
    expect([...archive.entries.keys()]).toEqual(["a/", "a/b", "c"]);
    expect(await readText(archive, "c")).toBe("two");
  });
});

describe("an invalid archive is refused", () => {
  const cut = (bytes: Uint8Array, from: number, to: number) => openArchive(bytesSource(bytes.subarray(from, to)));
  const sound = makeZip([file("a"), file("b")]);

  test.each<[string, InstallerErrorReason, () => Promise<unknown>]>([
    ["an empty file", "file_empty", () => cut(sound, 0, 0)],
    ["a text", "archive_not_zip", () => openArchive(bytesSource(text("not a zip at all")))],
    ["a file of three bytes", "archive_not_zip", () => cut(sound, 0, 3)],
    ["data before the first entry", "archive_not_zip", () => open([file("a")], { prefix: text("dex\n035") })],
    ["data after the end", "archive_truncated", () => open([file("a")], { suffix: text("more") })],
    ["a file cut off in its directory", "archive_truncated", () => cut(sound, 0, sound.length - 30)],
    ["a file cut off in its last record", "archive_truncated", () => cut(sound, 0, sound.length - 1)],
    ["more entries said than there are", "archive_damaged", () => open([file("a")], { lies: { count: 2 } })],
    [
      "fewer entries said than there are",
      "archive_damaged",
      () => open([file("a"), file("b")], { lies: { count: 1 } }),
    ],
    ["a directory said to be larger", "archive_damaged", () => open([file("a")], { lies: { directorySize: 9999 } })],
    ["a directory said to be elsewhere", "archive_damaged", () => open([file("a")], { lies: { directoryOffset: 1 } })],
    ["one disk of several", "archive_multi_disk", () => open([file("a")], { lies: { disk: 1 } })],
    ["a part of a split archive", "archive_multi_disk", () => openArchive(bytesSource(text("PK\x07\x08PK\x03\x04")))],
    [
      "a hundred thousand and one entries",
      "archive_too_many_entries",
      () => open([file("a")], { zip64: true, lies: { count: MAX_ENTRIES + 1 } }),
    ],
    [
      "a directory of a gigabyte",
      "archive_directory_too_large",
      () => open([file("a")], { zip64: true, lies: { directorySize: 2 ** 30 } }),
    ],
  ])("%s", async (_, reason, attempt) => {
    expect(await reasonOf(attempt())).toBe(reason);
  });

  test("a source that returns too few bytes", async () => {
    const short: ByteSource = { size: 1000, read: async () => new Uint8Array(3) };
    expect(await reasonOf(openArchive(short))).toBe("archive_truncated");
  });
});

describe("unsafe entries are refused", () => {
  test.each([
    "../evil",
    "a/../../evil",
    "a/..",
    "..",
    "/etc/passwd",
    "\\windows\\evil",
    "..\\evil",
    "a\\..\\..\\evil",
    "C:/evil",
    "c:\\evil",
    "nul\0byte",
    "",
  ])("an unsafe or empty name: %j", async (name) => {
    expect(await refusal([file("a"), file(name)])).toBe("entry_unsafe_name");
  });

  test("a name that contains dots is safe", async () => {
    const archive = await open([file("a..b"), file("..."), file("..a/b.."), file("C:name")]);
    expect(archive.entries.size).toBe(4);
  });

  test("a duplicate name, also with ./ or as a folder", async () => {
    expect(await refusal([file("a"), file("a")])).toBe("entry_duplicate");
    expect(await refusal([file("a"), file("./a")])).toBe("entry_duplicate");
    expect(await refusal([file("a/", ""), file("a")])).toBe("entry_duplicate");
    expect(await refusal([file("a/", ""), file("a/", "hidden")])).toBe("entry_duplicate");
  });

  const link = (name: string, target: string) => file(name, target, { mode: 0o120777 });

  test("a symbolic link may lead to a path within its app", async () => {
    const framework = "Payload/A.app/Frameworks/F.framework";
    const files = [
      link("Payload/A.app/CodeResources", "_CodeSignature/CodeResources"),
      link(`${framework}/F`, "Versions/Current/F"),
      link(`${framework}/Versions/Current`, "A"),
      link(`${framework}/Shared`, "../../Shared/F"),
      file(`${framework}/Versions/A/F`),
      file("a"),
    ];
    expect(await readText(await open(files), "a")).toBe("a");
  });

  test.each([
    ["a", "/etc/passwd"],
    ["a", "_CodeSignature/CodeResources"],
    ["Payload/A.app/CodeResources", "../../../../../../etc/passwd"],
    ["Payload/A.app/Info.plist", "/etc/passwd"],
    ["Payload/A.app/a", "../B.app/Info.plist"],
    ["Payload/A.app/b/a", "../../B.app"],
    ["Payload/A.app/a", ".."],
    ["Payload/A.app/a", "b/../../../c"],
    ["Payload/A.app/a", "b\\..\\c"],
    ["Payload/A.app/a", "C:\\b"],
    ["Payload/A.app/a", "b\0c"],
    ["Payload/A.app/a", ""],
    ["Payload/A.app/a", "b".repeat(1_025)],
    ["Payload/A.app", "B.app"],
    ["res/a", "b"],
  ])("the symbolic link %j to %j", async (name, target) => {
    expect(await refusal([file("first"), link(name, target)])).toBe("entry_symlink");
  });

  test("what lies behind a symbolic link, and hundreds of links", async () => {
    const behind = [link("Payload/A.app/a", "b"), file("Payload/A.app/a/c")];
    expect(await refusal(behind)).toBe("entry_symlink");
    const many = Array.from({ length: 257 }, (_, index) => link(`Payload/A.app/${index}`, "b"));
    expect(await refusal(many)).toBe("entry_symlink");
  });

  test("overlapping entries", async () => {
    const overlapping = file("b", "bb", { lies: { localHeaderOffset: 0 } });
    expect(await refusal([file("a"), overlapping])).toBe("archive_overlapping_entries");
    const long = file("a", "aa", { lies: { compressedSize: 20, uncompressedSize: 20 } });
    expect(await refusal([long, file("b")])).toBe("archive_overlapping_entries");
  });

  test("an entry that exceeds the start of the directory", async () => {
    const beyond = file("a", "aa", { zip64: true, lies: { compressedSize: 2 ** 40, uncompressedSize: 2 ** 40 } });
    expect(await refusal([beyond])).toBe("entry_damaged");
  });

  test("an encrypted entry, by any of the three flags", async () => {
    for (const flags of [0x0001, 0x0040, 0x2000]) {
      expect(await readRefusal([file("a", "secret", { flags })], "a")).toBe("entry_encrypted");
    }
  });

  test.each<[string, Partial<ZipFile>]>([
    ["a wrong CRC-32", { lies: { crc32: 1 } }],
    ["a larger size than it inflates to", { method: 8, lies: { uncompressedSize: 500 } }],
    ["a smaller size than it inflates to", { method: 8, lies: { uncompressedSize: 5 } }],
    ["two sizes though it is stored", { lies: { uncompressedSize: 999 } }],
    ["another name in its local header", { lies: { localName: "b" } }],
    ["a local header of another method", { lies: { localMethod: 8 } }],
    ["a local header of another size", { lies: { localCompressedSize: 3 } }],
    ["no local header at all", { lies: { localSignature: 0x04034b51 } }],
    ["data after the end of its deflate stream", { method: 8, lies: { trailing: new Uint8Array(40_000) } }],
  ])("an entry with %s", async (_, lie) => {
    const contents = "some contents ".repeat(10);
    const files = [file("first"), file("a", contents, lie), file("last")];
    expect(await readRefusal(files, "a")).toBe("entry_damaged");
    expect(await readText(await open(files), "last")).toBe("last");
  });

  test("invalid deflate data", async () => {
    const bytes = makeZip([file("a", "some contents ".repeat(10), { method: 8 })]);
    bytes.fill(0xff, 31, 40);
    const archive = await openArchive(bytesSource(bytes));
    expect(await reasonOf(readText(archive, "a"))).toBe("entry_damaged");
  });
});

describe("limits", () => {
  test("an entry may have the size of the limit, and not a byte more", async () => {
    const files = [file("a", "x".repeat(2048), { method: 8 }), file("b", "x".repeat(2049))];
    expect(await readText(await open(files), "a", 2048)).toHaveLength(2048);
    expect(await readRefusal(files, "a", 2047)).toBe("entry_too_large");
    expect(await readRefusal(files, "b", 2048)).toBe("entry_too_large");
  });

  test("no entry is decompressed beyond 10 MiB, whatever the limit", async () => {
    const bytes = Uint8Array.from({ length: MAX_ENTRY_BYTES + 1 }, (_, index) => (index * 2654435761) >>> 24);
    const archive = await openArchive(
      bytesSource(
        makeZip([
          { name: "a", data: bytes, method: 8 },
          { name: "b", data: bytes.subarray(1) },
        ]),
      ),
    );
    const entry = (name: string) => archive.entries.get(name) as NonNullable<ReturnType<typeof archive.entries.get>>;
    expect(await reasonOf(archive.read(entry("a"), Number.MAX_SAFE_INTEGER))).toBe("entry_too_large");
    expect(await archive.read(entry("b"), Number.MAX_SAFE_INTEGER)).toHaveLength(MAX_ENTRY_BYTES);
  });

  test("a stored entry may have a higher limit, a deflated one may not", async () => {
    const data = Uint8Array.from({ length: 3000 }, (_, index) => index * index);
    const archive = await open([
      { name: "stored", data },
      { name: "deflated", data, method: 8 },
    ]);
    const read = (name: string, storedUpTo: number) => {
      const entry = archive.entries.get(name);
      if (!entry) throw new Error(`no ${name}`);
      return archive.read(entry, 1000, { storedUpTo });
    };
    expect(await read("stored", 3000)).toEqual(data);
    expect(await reasonOf(read("stored", 2999))).toBe("entry_too_large");
    expect(await reasonOf(read("deflated", 3000))).toBe("entry_too_large");
  });

  test("an entry with a ratio of more than 100 is a bomb", async () => {
    const zeros = new Uint8Array(2 ** 20);
    expect(await readRefusal([{ name: "a", data: zeros, method: 8 }], "a")).toBe("entry_compression_bomb");
    const small = zeros.subarray(0, 60_000);
    expect(await readText(await open([{ name: "a", data: small, method: 8 }]), "a")).toHaveLength(60_000);
  });

  test("no more is read than the file contains for an entry, whatever its declared sizes", async () => {
    const lies = { compressedSize: 2 ** 31, uncompressedSize: 2 ** 31 };
    const source = countingSource(bytesSource(makeZip([file("a", "aa", { lies }), file("b")])));
    expect(await reasonOf(openArchive(source))).toBe("entry_damaged");
    expect(source.bytesRead).toBeLessThanOrEqual(source.size + 4);
  });

  test("a read rejects with the reason of the signal", async () => {
    const controller = new AbortController();
    const archive = await openArchive(bytesSource(makeZip([file("a", "x".repeat(100_000), { method: 8 })])), {
      signal: controller.signal,
    });
    controller.abort(new Error("enough"));
    await expect(readText(archive, "a")).rejects.toThrow("enough");
    await expect(openArchive(bytesSource(makeZip([file("a")])), { signal: controller.signal })).rejects.toThrow(
      "enough",
    );
  });
});

describe("any damage", () => {
  const arbitraryFile = fc.record({
    name: fc.stringMatching(/^[a-zA-Zé_-]{1,8}(\/[a-z.]{1,4}_){0,2}$/),
    data: fc.uint8Array({ maxLength: 400 }),
    method: fc.constantFrom(0, 8),
    dataDescriptor: fc.boolean(),
    zip64: fc.boolean(),
  });
  const arbitraryZip = fc
    .uniqueArray(arbitraryFile, { selector: ({ name }) => name, minLength: 1, maxLength: 6 })
    .map((files) => ({ files, bytes: makeZip(files) }));
  const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });

  /** The contents of the entries by name, without refused entries. */
  async function contentsOf(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
    const contents = new Map<string, Uint8Array>();
    try {
      const archive = await openArchive(bytesSource(bytes));
      for (const entry of archive.entries.values()) {
        try {
          contents.set(entry.name, await archive.read(entry, 100_000));
        } catch (error) {
          expect(error).toBeInstanceOf(InstallerError);
        }
      }
    } catch (error) {
      expect(error).toBeInstanceOf(InstallerError);
    }
    return contents;
  }

  test("does not occur in an intact archive, whose entries are restored", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryZip, async ({ files, bytes }) => {
        expect(await contentsOf(bytes)).toEqual(new Map(files.map(({ name, data }) => [name, data])));
      }),
    );
  });

  test("of bytes leads to an InstallerError or to the right contents", async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryZip,
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async ({ files, bytes }, changes) => {
          for (const { at, value } of changes) bytes[at % bytes.length] = value;
          const genuine = files.map(({ data }) => data);
          for (const contents of (await contentsOf(bytes)).values()) {
            expect(genuine).toContainEqual(contents);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test("by truncation is refused", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryZip, fc.nat(), async ({ bytes }, length) => {
        const cut = bytes.subarray(0, length % bytes.length);
        await expect(openArchive(bytesSource(cut))).rejects.toBeInstanceOf(InstallerError);
      }),
      { numRuns: 200 },
    );
  });

  test("of random bytes with the signatures of an archive is refused", async () => {
    const marks = [text("PK\x03\x04"), text("PK\x01\x02"), text("PK\x05\x06"), text("PK\x06\x06"), text("PK\x06\x07")];
    const piece = fc.oneof(fc.constantFrom(...marks), fc.uint8Array({ maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        await contentsOf(Uint8Array.from([0x50, 0x4b, 3, 4, ...pieces.flatMap((bytes) => [...bytes])]));
      }),
      { numRuns: 300 },
    );
  });
});
