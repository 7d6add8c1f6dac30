import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeZip, type ZipFile } from "../../testing/make-zip";
import { bytesSource } from "../source";
import { openArchive } from "./archive";
import { BudgetError, type InflateBudget, openEntry } from "./entry-reader";

/** Opens the only entry of an archive. */
async function open(bytes: Uint8Array, budget?: InflateBudget) {
  const archive = await openArchive(bytesSource(bytes));
  const [entry] = archive.entries.values();
  if (!entry) throw new Error("the archive is empty");
  return openEntry(archive, entry, budget);
}

const zip = (data: Uint8Array, more: Partial<ZipFile> = {}) => makeZip([{ name: "file", data, method: 8, ...more }]);

describe("ranges of an entry", () => {
  const contents = new Uint8Array(Buffer.concat([randomBytes(100_000), Buffer.alloc(300_000), randomBytes(50_000)]));
  const ranges = fc
    .array(fc.record({ offset: fc.nat(contents.length), length: fc.nat(70_000) }), { minLength: 1, maxLength: 6 })
    .map((list) => list.toSorted((one, other) => one.offset - other.offset));

  it.each([0, 8])("are what the entry contains, with method %d", async (method) => {
    const bytes = zip(contents, { method });
    await fc.assert(
      fc.asyncProperty(ranges, async (wanted) => {
        const reader = await open(bytes);
        for (const { offset, length } of wanted) {
          const isInside = offset + length <= contents.length;
          expect(await reader?.read({ offset, length })).toEqual(
            isInside ? contents.slice(offset, offset + length) : null,
          );
        }
        await reader?.close();
      }),
      { numRuns: 30 },
    );
  });

  it("are not there where the data is damaged or shorter than it says", async () => {
    const damaged = zip(contents);
    damaged.fill(0xff, 34, 400);
    expect(await (await open(damaged))?.read({ offset: 0, length: 200_000 })).toBeNull();
    const short = zip(contents, { lies: { uncompressedSize: 500_000 } });
    expect(await (await open(short))?.read({ offset: 460_000, length: 10 })).toBeNull();
  });

  it("are not read of encrypted entries and of other methods", async () => {
    expect(await open(zip(contents, { flags: 1 }))).toBeNull();
    expect(await open(zip(contents, { method: 12 }))).toBeNull();
  });

  it("are read within a budget that several entries share", async () => {
    const budget = { bytesLeft: 500_000 };
    const last = { offset: contents.length - 10, length: 10 };
    const bytes = zip(contents);
    expect(await (await open(bytes, budget))?.read(last)).toHaveLength(10);
    await expect((await open(bytes, budget))?.read(last)).rejects.toBeInstanceOf(BudgetError);
  });

  it("fail with the error of the source", async () => {
    const bytes = zip(contents);
    let reads = 0;
    const source = {
      size: bytes.length,
      read: async (offset: number, length: number) => {
        reads += 1;
        if (reads > 3) throw new Error("the store is away");
        return bytes.subarray(offset, offset + length);
      },
    };
    const archive = await openArchive(source);
    const [entry] = archive.entries.values();
    const reader = entry && (await openEntry(archive, entry));
    await expect(reader?.read({ offset: 0, length: 400_000 })).rejects.toThrow("the store is away");
  });
});
