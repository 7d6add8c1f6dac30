import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type CatalogImage, makeAssetCatalog } from "../../testing/make-asset-catalog";
import { makeIcon } from "../../testing/make-icon";
import { encodePng } from "../image/png";
import { MAX_CATALOG_KEYS } from "../limits";
import { readCatalogIcon } from "./asset-catalog";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

/** An image of one half-transparent colour, as premultiplied BGRA. */
const image = (size: number, more: Partial<CatalogImage> = {}): CatalogImage => ({
  width: size,
  height: size,
  encoding: "gzip",
  data: Buffer.alloc(size * size * 4, Buffer.of(0, 64, 128, 128)),
  ...more,
});
const unmultiplied = (size: number) =>
  encodePng(size, size, Buffer.alloc(size * size * 4, Buffer.of(255, 128, 0, 128)));

describe("the app icon of an asset catalog", () => {
  test.each(["plain", "gzip"] as const)("in %s, with or without padded rows, becomes a PNG", async (encoding) => {
    for (const padding of [0, 24]) {
      const icon = await readCatalogIcon(makeAssetCatalog("AppIcon", [image(10, { encoding, padding })]), "AppIcon");
      expect(icon).toEqual({ contentType: "image/png", width: 10, height: 10, bytes: await unmultiplied(10) });
    }
  });

  test("that is an image file is returned unchanged", async () => {
    const file = makeIcon({ size: 30 });
    const icon = await readCatalogIcon(
      makeAssetCatalog("AppIcon", [image(30, { encoding: "file", data: file })]),
      null,
    );
    expect(icon).toMatchObject({ width: 30, height: 30, contentType: "image/png" });
    expect(Buffer.from(icon?.bytes ?? [])).toEqual(file);
  });

  test("is the largest one that can be read", async () => {
    const catalog = makeAssetCatalog("AppIcon", [image(20), image(60), image(180, { encoding: "lzfse" }), image(40)]);
    expect((await readCatalogIcon(catalog, null))?.width).toBe(60);
  });

  test("is the one with the given name", async () => {
    const catalog = makeAssetCatalog("Christmas", [image(20)]);
    expect(await readCatalogIcon(catalog, "AppIcon")).toBeNull();
    expect(await readCatalogIcon(catalog, "Christmas")).not.toBeNull();
  });

  test("is null when only Apple's tools can read it, or when it is too large", async () => {
    expect(await readCatalogIcon(makeAssetCatalog("AppIcon", [image(20, { encoding: "lzfse" })]), null)).toBeNull();
    const wide = image(1, { width: 5000, data: Buffer.alloc(20_000) });
    expect(await readCatalogIcon(makeAssetCatalog("AppIcon", [wide]), null)).toBeNull();
  });

  test("is null for bytes that are not a catalog", async () => {
    expect(await readCatalogIcon(new Uint8Array(), null)).toBeNull();
    expect(await readCatalogIcon(Buffer.from("BOMStore"), null)).toBeNull();
  });

  test("of a damaged catalog is an icon within the limits or null", async () => {
    const genuine = makeAssetCatalog("AppIcon", [image(6), image(9, { encoding: "plain" })]);
    const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const damaged = new Uint8Array(genuine);
        for (const { at, value } of changes) damaged[at % damaged.length] = value;
        const icon = await readCatalogIcon(damaged, null);
        expect(icon?.width ?? 0).toBeLessThanOrEqual(4096);
      }),
      { numRuns: 500 },
    );
  });

  test("is null when the tree is cyclic", async () => {
    const catalog = Buffer.from(makeAssetCatalog("AppIcon", [image(2)]));
    // Each leaf of one pair begins with 1, 1, no next and no previous: let the next one be any block.
    const leaf = Buffer.from("0001000100000000", "hex");
    for (let at = catalog.indexOf(leaf); at >= 0; at = catalog.indexOf(leaf, at + 8)) catalog.writeUInt32BE(3, at + 4);
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    expect(await readCatalogIcon(catalog, "none of that name")).toBeNull();
    expect(decode.mock.calls.length).toBeLessThanOrEqual(MAX_CATALOG_KEYS);
    decode.mockRestore();
  });

  test("is null when a leaf with many keys is its own successor", async () => {
    const catalog = Buffer.from(makeAssetCatalog("AppIcon", [image(2)]));
    const keys = 5000;
    const leaf = Buffer.alloc(12 + 8 * keys);
    leaf.writeUInt16BE(1, 0);
    leaf.writeUInt16BE(keys, 2);
    // Replaces the leaf of FACETKEYS, whose block is written right before its tree, by one that is appended.
    const table = catalog.readUInt32BE(16) + 4;
    const block = catalog.readUInt32BE(catalog.indexOf("tree") + 8);
    leaf.writeUInt32BE(block, 4);
    for (let index = 0; index < 2 * keys; index++) leaf.writeUInt32BE(1, 12 + 4 * index);
    catalog.writeUInt32BE(catalog.length, table + 8 * block);
    catalog.writeUInt32BE(leaf.length, table + 8 * block + 4);
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    expect(await readCatalogIcon(Buffer.concat([catalog, leaf]), "none of that name")).toBeNull();
    expect(decode.mock.calls.length).toBeGreaterThan(keys);
    expect(decode.mock.calls.length).toBeLessThanOrEqual(MAX_CATALOG_KEYS);
    decode.mockRestore();
  });
});
