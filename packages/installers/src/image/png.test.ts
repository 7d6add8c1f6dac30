import { deflateRawSync, deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { drawIcon, makeIcon, pngChunk } from "../../testing/make-icon";
import { MAX_ICON_PIXELS } from "../limits";
import { decodePng, encodePng, ImageError, pngSize, readPng } from "./png";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

/** The chunks of a PNG by type. */
function chunksOf(bytes: Uint8Array): { type: string; data: Buffer }[] {
  const buffer = Buffer.from(bytes);
  const chunks = [];
  for (let at = 8; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    chunks.push({ type: buffer.toString("latin1", at + 4, at + 8), data: buffer.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** The pixels of a standard PNG whose rows all have the filter "sub", as encodePng writes them. */
function pixelsOf(bytes: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const data = chunksOf(bytes).filter(({ type }) => type === "IDAT");
  const rows = inflateSync(Buffer.concat(data.map((chunk) => chunk.data)));
  const height = rows.length / (rowBytes + 1);
  const pixels = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    expect(rows[row * (rowBytes + 1)]).toBe(1);
    for (let index = 0; index < rowBytes; index++) {
      const left = index >= pixelBytes ? (pixels[row * rowBytes + index - pixelBytes] as number) : 0;
      pixels[row * rowBytes + index] = (rows[row * (rowBytes + 1) + 1 + index] as number) + left;
    }
  }
  return pixels;
}

const header = (width: number, height: number, depth = 8, colour = 6, interlace = 0) => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return pngChunk("IHDR", data);
};
const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const end = pngChunk("IEND", Buffer.alloc(0));
const apple = pngChunk("CgBI", Buffer.of(0x50, 0x00, 0x20, 0x06));

describe("a standard PNG", () => {
  test("is returned without the data after its end", async () => {
    const bytes = makeIcon({ size: 40 });
    const image = await readPng(Buffer.concat([bytes, Buffer.from("<script>")]));
    expect(image).toEqual({ width: 40, height: 40, bytes });
    expect(pngSize(bytes)).toEqual({ width: 40, height: 40 });
  });

  test("is encoded from pixels", async () => {
    const rgba = drawIcon({ size: 17 });
    const png = await encodePng(17, 17, rgba);
    expect(pixelsOf(png, 17 * 4, 4)).toEqual(rgba);
    expect((await readPng(png)).width).toBe(17);
  });
});

describe("the pixels of a PNG", () => {
  test.each([3, 4] as const)("of %i channels, with every filter, are decoded", async (channels) => {
    const options = { size: 33, channels, hue: 200 };
    const { width, height, rgba } = await decodePng(makeIcon(options));
    expect([width, height]).toEqual([33, 33]);
    expect(rgba.filter((_, index) => channels === 4 || index % 4 < 3)).toEqual(drawIcon(options));
  });

  test.each<[string, number, number, string, [string, string][], string]>([
    [
      "two colours of a palette, one half transparent",
      1,
      3,
      "00 40",
      [
        ["PLTE", "ff0000 00ff00"],
        ["tRNS", "80"],
      ],
      "ff000080 00ff00ff",
    ],
    ["two shades of grey, one of them transparent", 2, 0, "00 70", [["tRNS", "0001"]], "55555500 ffffffff"],
    ["grey with alpha", 8, 4, "00 8040 10ff", [], "80808040 101010ff"],
    ["sixteen bits", 16, 2, "00 ffff00008000 000000000000", [], "ff0080ff 000000ff"],
  ])("may be %s", async (_, depth, colour, row, extra, expected) => {
    const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
    const chunks = extra.map(([type, data]) => pngChunk(type, hex(data)));
    const data = pngChunk("IDAT", deflateSync(hex(row)));
    const png = Buffer.concat([signature, header(2, 1, depth, colour), ...chunks, data, end]);
    expect(Buffer.from((await decodePng(png)).rgba)).toEqual(hex(expected));
  });

  test("outside of the palette are refused", async () => {
    const data = pngChunk("IDAT", deflateSync(Buffer.of(0, 7)));
    const png = Buffer.concat([signature, header(1, 1, 8, 3), pngChunk("PLTE", Buffer.alloc(6)), data, end]);
    await expect(decodePng(png)).rejects.toBeInstanceOf(ImageError);
  });
});

describe("a PNG of Apple's variant", () => {
  test.each([3, 4] as const)("with %i channels becomes a standard one of the same image", async (channels) => {
    const options = { size: 61, channels, hue: 30 };
    const { bytes, width, height } = await readPng(makeIcon({ ...options, cgbi: true }));
    expect([width, height]).toEqual([61, 61]);
    expect(chunksOf(bytes).map(({ type }) => type)).toEqual(["IHDR", "IDAT", "IEND"]);
    const pixels = pixelsOf(bytes, 61 * channels, channels);
    const drawn = drawIcon(options);
    // Premultiplication loses precision: at alpha a, up to 128 / a steps.
    const off = pixels.filter((value, index) => {
      const alpha = channels === 4 ? (drawn[index | 3] as number) : 255;
      return alpha > 0 && Math.abs(value - (drawn[index] as number)) > Math.ceil(128 / alpha);
    });
    expect(off).toHaveLength(0);
  });

  test("with several data chunks and private chunks keeps only the standard ones", async () => {
    const chunks = chunksOf(makeIcon({ size: 20, cgbi: true }));
    const data = chunks.find(({ type }) => type === "IDAT")?.data as Buffer;
    const image = await readPng(
      Buffer.concat([
        signature,
        apple,
        header(20, 20),
        pngChunk("iDOT", Buffer.alloc(28)),
        pngChunk("sRGB", Buffer.of(0)),
        pngChunk("IDAT", data.subarray(0, 50)),
        pngChunk("IDAT", data.subarray(50)),
        end,
      ]),
    );
    expect(chunksOf(image.bytes).map(({ type }) => type)).toEqual(["IHDR", "sRGB", "IDAT", "IEND"]);
    expect(pngSize(makeIcon({ size: 20, cgbi: true }))).toEqual({ width: 20, height: 20 });
  });

  test("that is interlaced keeps its passes", async () => {
    // 3 × 2 pixels: pass 1 has one pixel, pass 4 one, pass 6 one, pass 7 the second row of three.
    const rows = Buffer.from([0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const bytes = Buffer.concat([signature, apple, header(3, 2, 8, 2, 1), pngChunk("IDAT", deflateRawSync(rows)), end]);
    const image = await readPng(bytes);
    const data = chunksOf(image.bytes).find(({ type }) => type === "IDAT")?.data as Buffer;
    expect([...inflateSync(data)]).toEqual([1, 3, 2, 1, 1, 6, 5, 4, 1, 9, 8, 7, 1, 3, 2, 1, 3, 3, 3, 3, 3, 3]);
  });
});

describe("an invalid PNG is refused", () => {
  const idat = pngChunk("IDAT", Buffer.from("03000000000100", "hex"));

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["a signature alone", signature],
    ["no end", Buffer.concat([signature, header(1, 1), idat])],
    ["no header", Buffer.concat([signature, idat, end])],
    ["no image data", Buffer.concat([signature, header(1, 1), end])],
    ["no width", Buffer.concat([signature, header(0, 1), idat, end])],
    ["too many columns", Buffer.concat([signature, header(MAX_ICON_PIXELS + 1, 1), idat, end])],
    ["too many rows", Buffer.concat([signature, apple, header(1, 0xffffffff), idat, end])],
    ["an unknown colour type", Buffer.concat([signature, header(1, 1, 8, 5), idat, end])],
    ["an unknown depth", Buffer.concat([signature, header(1, 1, 3, 6), idat, end])],
    ["an unknown interlacing", Buffer.concat([signature, header(1, 1, 8, 6, 2), idat, end])],
    [
      "a chunk longer than the file",
      Buffer.concat([signature, Buffer.from("7fffffff49484452", "hex"), Buffer.alloc(40)]),
    ],
    ["fewer pixels than it says", Buffer.concat([signature, apple, header(100, 100), idat, end])],
    [
      "pixels of Apple's that are not deflated",
      Buffer.concat([signature, apple, header(9, 9), pngChunk("IDAT", Buffer.alloc(99, 0xff)), end]),
    ],
  ])("%s", async (_, bytes) => {
    await expect(readPng(bytes)).rejects.toBeInstanceOf(ImageError);
  });

  test("an image that declares a large size takes no more memory than its decompressed data", async () => {
    const bytes = Buffer.concat([signature, apple, header(4096, 4096), idat, end]);
    const before = process.memoryUsage().arrayBuffers;
    await expect(readPng(bytes)).rejects.toBeInstanceOf(ImageError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 2 ** 20);
  });

  test("any damage leads to an image or an ImageError", async () => {
    const genuine = makeIcon({ size: 12, cgbi: true });
    const chunks = chunksOf(genuine);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 0, max: 255 }), async (which, at, value) => {
        // The CRC is corrected, so that the damage is not refused by it.
        const damaged = chunks.map(({ type, data }, index) => {
          const bytes = Buffer.from(data);
          if (index === which % chunks.length && bytes.length > 0) bytes[at % bytes.length] = value;
          return pngChunk(type, bytes);
        });
        try {
          const image = await readPng(Buffer.concat([signature, ...damaged]));
          expect(Math.max(image.width, image.height)).toBeLessThanOrEqual(MAX_ICON_PIXELS);
        } catch (error) {
          expect(error).toBeInstanceOf(ImageError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
