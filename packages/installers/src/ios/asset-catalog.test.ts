import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type CatalogPicture, makeAssetCatalog } from "../../testing/make-asset-catalog";
import { makeIcon } from "../../testing/make-icon";
import { encodePng } from "../image/png";
import { readCatalogIcon } from "./asset-catalog";

vi.setConfig({ testTimeout: 30_000 }); // a second's work takes many on a machine that is busy

/** A picture of one colour, half transparent: blue, green, red and alpha, premultiplied. */
const picture = (size: number, more: Partial<CatalogPicture> = {}): CatalogPicture => ({
  width: size,
  height: size,
  packing: "gzip",
  data: Buffer.alloc(size * size * 4, Buffer.of(0, 64, 128, 128)),
  ...more,
});
const unmultiplied = (size: number) =>
  encodePng(size, size, Buffer.alloc(size * size * 4, Buffer.of(255, 128, 0, 128)));

describe("the app icon of an asset catalog", () => {
  test.each(["plain", "gzip"] as const)("packed %s, with padded rows or without, becomes a PNG", async (packing) => {
    for (const padding of [0, 24]) {
      const icon = await readCatalogIcon(makeAssetCatalog("AppIcon", [picture(10, { packing, padding })]), "AppIcon");
      expect(icon).toEqual({ contentType: "image/png", width: 10, height: 10, bytes: await unmultiplied(10) });
    }
  });

  test("that is an image file of its own stays one", async () => {
    const file = makeIcon({ size: 30 });
    const icon = await readCatalogIcon(
      makeAssetCatalog("AppIcon", [picture(30, { packing: "file", data: file })]),
      null,
    );
    expect(icon).toMatchObject({ width: 30, height: 30, contentType: "image/png" });
    expect(Buffer.from(icon?.bytes ?? [])).toEqual(file);
  });

  test("is the largest of those that can be read", async () => {
    const catalog = makeAssetCatalog("AppIcon", [
      picture(20),
      picture(60),
      picture(180, { packing: "lzfse" }),
      picture(40),
    ]);
    expect((await readCatalogIcon(catalog, null))?.width).toBe(60);
  });

  test("is the one asked for", async () => {
    const catalog = makeAssetCatalog("Christmas", [picture(20)]);
    expect(await readCatalogIcon(catalog, "AppIcon")).toBeNull();
    expect(await readCatalogIcon(catalog, "Christmas")).not.toBeNull();
  });

  test("that only Apple can unpack, or that is too large, is none", async () => {
    expect(await readCatalogIcon(makeAssetCatalog("AppIcon", [picture(20, { packing: "lzfse" })]), null)).toBeNull();
    const wide = picture(1, { width: 5000, data: Buffer.alloc(20_000) });
    expect(await readCatalogIcon(makeAssetCatalog("AppIcon", [wide]), null)).toBeNull();
  });

  test("is none in what is no catalog", async () => {
    expect(await readCatalogIcon(new Uint8Array(), null)).toBeNull();
    expect(await readCatalogIcon(Buffer.from("BOMStore"), null)).toBeNull();
  });

  test("of a damaged catalog is one or none, and soon", async () => {
    const genuine = makeAssetCatalog("AppIcon", [picture(6), picture(9, { packing: "plain" })]);
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

  test("whose tree leads back into itself is none", async () => {
    const catalog = Buffer.from(makeAssetCatalog("AppIcon", [picture(2)]));
    // Each leaf of one pair begins with 1, 1, no next and no previous: let the next one be any block.
    const leaf = Buffer.from("0001000100000000", "hex");
    for (let at = catalog.indexOf(leaf); at >= 0; at = catalog.indexOf(leaf, at + 8)) catalog.writeUInt32BE(3, at + 4);
    expect(await readCatalogIcon(catalog, "none of that name")).toBeNull();
  });
});
