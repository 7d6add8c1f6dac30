import { concatBytes, startsWithAscii, viewOf } from "../encoding/bytes";
import { crc32 } from "../encoding/crc32";
import { InflateError, inflate } from "../encoding/inflate";
import { MAX_SYNC_BYTES, nodeZlib } from "../encoding/node-zlib";
import { MAX_ICON_PIXELS } from "../limits";

/** An image that is damaged, unsupported, or beyond the limits. */
export class ImageError extends Error {
  override readonly name = "ImageError";
}

export interface PngImage {
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** A standard PNG. */
  bytes: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const CHUNK_OVERHEAD = 12;
const TRUECOLOUR = 2;
const INDEXED = 3;
const TRUECOLOUR_ALPHA = 6;
const SAMPLES = new Map([
  [0, 1],
  [TRUECOLOUR, 3],
  [INDEXED, 1],
  [4, 2],
  [TRUECOLOUR_ALPHA, 4],
]);
const DEPTHS = new Map([
  [0, [1, 2, 4, 8, 16]],
  [TRUECOLOUR, [8, 16]],
  [INDEXED, [1, 2, 4, 8]],
  [4, [8, 16]],
  [TRUECOLOUR_ALPHA, [8, 16]],
]);
/** Chunks of Apple's variant that have the same meaning in a standard PNG. */
const KEPT_CHUNKS = new Set(["PLTE", "tRNS", "sRGB", "gAMA", "cHRM", "iCCP"]);
/** Adam7 (PNG 8.2): the first column and row of each pass, and the steps to the next ones. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Filter types (PNG 9.2). */
const SUB = 1;
const UP = 2;
const AVERAGE = 3;
const PAETH = 4;

const DEFLATE_CHUNK_BYTES = 64 * 1024;

interface Header {
  width: number;
  height: number;
  bitDepth: number;
  colourType: number;
  interlaced: boolean;
}

interface Chunk {
  type: string;
  data: Uint8Array;
}

/** Whether the bytes start with the PNG signature. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => bytes[index] === byte);
}

/** The size in pixels, from the header alone; null without a PNG header. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (!isPng(bytes)) return null;
  const at = startsWithAscii(bytes, "CgBI", 12) ? 24 : 8;
  if (bytes.length < at + 16 || !startsWithAscii(bytes, "IHDR", at + 4)) return null;
  return { width: viewOf(bytes).getUint32(at + 8), height: viewOf(bytes).getUint32(at + 12) };
}

/**
 * Reads a PNG (ISO/IEC 15948) and returns it as a standard one. Apple's variant, which browsers do not show (a
 * `CgBI` chunk: raw deflate, red and blue swapped, alpha premultiplied), is converted; a standard PNG is returned without any
 * data after its end.
 * @throws ImageError when it is damaged, unsupported, or larger than MAX_ICON_PIXELS
 */
export async function readPng(bytes: Uint8Array, signal?: AbortSignal): Promise<PngImage> {
  const { chunks, length } = parseChunks(bytes);
  const apple = chunks[0]?.type === "CgBI";
  const header = parseHeader(chunks[apple ? 1 : 0]);
  const imageData = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  if (imageData.length === 0) throw new ImageError("no image data");
  const { width, height } = header;
  if (!apple) return { width, height, bytes: bytes.subarray(0, length) };

  const pixels = await inflatePixels(concatBytes(imageData), "deflate-raw", header, signal);
  toStandardPixels(pixels, header);
  const kept = chunks.filter(({ type }) => KEPT_CHUNKS.has(type));
  return { width, height, bytes: await assemble(header, kept, pixels) };
}

/**
 * Decodes a PNG (ISO/IEC 15948) of any kind, including Apple's variant, into rows of 8-bit RGBA that is not
 * premultiplied.
 * @throws ImageError when it is damaged, unsupported, or larger than MAX_ICON_PIXELS
 */
export async function decodePng(
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<{ width: number; height: number; rgba: Uint8Array }> {
  const { chunks } = parseChunks((await readPng(bytes, signal)).bytes);
  const header = parseHeader(chunks[0]);
  const data = (type: string) => concatBytes(chunks.filter((chunk) => chunk.type === type).map(({ data }) => data));
  const pixels = await inflatePixels(data("IDAT"), "deflate", header, signal);
  const { width, height } = header;
  const rgba = new Uint8Array(4 * width * height);
  const sampler = { header, palette: data("PLTE"), transparency: data("tRNS") };
  const passes = header.interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  const nonEmptyPasses = passes.filter(([x, y]) => x < width && y < height);
  const pixelBytes = Math.max(1, ((SAMPLES.get(header.colourType) as number) * header.bitDepth) >> 3);
  for (const [index, { start, rows, rowBytes }] of passesOf(header).entries()) {
    unfilterRows(pixels, start, rows, rowBytes, pixelBytes);
    const [firstX, firstY, stepX, stepY] = nonEmptyPasses[index] as (typeof ADAM7)[number];
    for (let row = 0; row < rows; row++) {
      const from = start + row * (rowBytes + 1) + 1;
      const line = pixels.subarray(from, from + rowBytes);
      for (let x = firstX, column = 0; x < width; x += stepX, column++) {
        writePixel(rgba, 4 * ((firstY + row * stepY) * width + x), line, column, sampler);
      }
    }
  }
  return { width, height, rgba };
}

interface Sampler {
  header: Header;
  palette: Uint8Array;
  /** The tRNS chunk: alpha by palette index, or the one transparent colour (PNG 11.3.2.1). */
  transparency: Uint8Array;
}

/** Writes one pixel of an unfiltered row as RGBA. */
function writePixel(rgba: Uint8Array, at: number, line: Uint8Array, column: number, sampler: Sampler): void {
  const { colourType, bitDepth } = sampler.header;
  const { palette, transparency } = sampler;
  const count = SAMPLES.get(colourType) as number;
  const first = sampleAt(line, column * count, bitDepth);
  if (colourType === INDEXED) {
    if (3 * first + 3 > palette.length) throw new ImageError("a colour outside the palette");
    rgba.set(palette.subarray(3 * first, 3 * first + 3), at);
    rgba[at + 3] = transparency[first] ?? 255;
    return;
  }
  const scale = 255 / (2 ** bitDepth - 1);
  const isGrey = count <= 2;
  let isTransparent = transparency.length > 0;
  for (let part = 0; part < 3; part++) {
    const sample = isGrey ? first : sampleAt(line, column * count + part, bitDepth);
    const index = isGrey ? 0 : 2 * part;
    isTransparent &&= sample === (((transparency[index] ?? 0) << 8) | (transparency[index + 1] ?? 0));
    rgba[at + part] = Math.round(sample * scale);
  }
  const hasAlpha = count === 2 || count === 4;
  if (hasAlpha) rgba[at + 3] = Math.round(sampleAt(line, column * count + count - 1, bitDepth) * scale);
  else rgba[at + 3] = isTransparent ? 0 : 255;
}

/** A sample of 1 to 16 bits. */
function sampleAt(line: Uint8Array, index: number, bitDepth: number): number {
  if (bitDepth === 8) return line[index] as number;
  if (bitDepth === 16) return ((line[2 * index] as number) << 8) | (line[2 * index + 1] as number);
  const bit = index * bitDepth;
  return ((line[bit >> 3] as number) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
}

/** Encodes rows of 8-bit RGBA, not premultiplied, as a PNG. */
export function encodePng(width: number, height: number, rgba: Uint8Array): Promise<Uint8Array> {
  const stride = width * 4;
  const pixels = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row++) {
    pixels.set(rgba.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  }
  const header = { width, height, bitDepth: 8, colourType: TRUECOLOUR_ALPHA, interlaced: false };
  for (const { start, rows, rowBytes } of passesOf(header)) filterRows(pixels, start, rows, rowBytes, 4);
  return assemble(header, [], pixels);
}

function parseChunks(bytes: Uint8Array): { chunks: Chunk[]; length: number } {
  if (!isPng(bytes)) throw new ImageError("no PNG");
  const data = viewOf(bytes);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + CHUNK_OVERHEAD <= bytes.length; ) {
    const length = data.getUint32(at);
    const end = at + CHUNK_OVERHEAD + length;
    if (end > bytes.length) break;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== data.getUint32(end - 4)) throw new ImageError("wrong CRC");
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === "IEND") return { chunks, length: end };
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  throw new ImageError("no end");
}

function parseHeader(chunk: Chunk | undefined): Header {
  if (chunk?.type !== "IHDR" || chunk.data.length !== 13) throw new ImageError("no header");
  const data = viewOf(chunk.data);
  const header = {
    width: data.getUint32(0),
    height: data.getUint32(4),
    bitDepth: data.getUint8(8),
    colourType: data.getUint8(9),
    interlaced: data.getUint8(12) === 1,
  };
  const tooLarge = Math.max(header.width, header.height) > MAX_ICON_PIXELS;
  if (tooLarge || header.width === 0 || header.height === 0) throw new ImageError("size out of bounds");
  const known = DEPTHS.get(header.colourType)?.includes(header.bitDepth) && data.getUint8(10) === 0;
  if (!known || data.getUint8(11) !== 0 || data.getUint8(12) > 1) throw new ImageError("unknown kind of PNG");
  return header;
}

interface Pass {
  /** The offset of its first row in the decompressed data, in bytes. */
  start: number;
  rows: number;
  /** Bytes of a row without the filter type. */
  rowBytes: number;
}

function passesOf(header: Header): Pass[] {
  const bitsPerPixel = (SAMPLES.get(header.colourType) as number) * header.bitDepth;
  const passes: Pass[] = [];
  let start = 0;
  for (const [x, y, dx, dy] of header.interlaced ? ADAM7 : [[0, 0, 1, 1] as const]) {
    const columns = Math.ceil((header.width - x) / dx);
    const rows = Math.ceil((header.height - y) / dy);
    if (columns <= 0 || rows <= 0) continue;
    const rowBytes = Math.ceil((columns * bitsPerPixel) / 8);
    passes.push({ start, rows, rowBytes });
    start += rows * (rowBytes + 1);
  }
  return passes;
}

async function inflatePixels(
  compressed: Uint8Array,
  format: "deflate" | "deflate-raw",
  header: Header,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const last = passesOf(header).at(-1) as Pass;
  const size = last.start + last.rows * (last.rowBytes + 1);
  try {
    // Surplus data after the pixels is ignored.
    const inflated = await inflate(compressed, format, { maxBytes: size + 2 ** 20, enough: size }, signal);
    if (inflated.length < size) throw new ImageError("too few pixels");
    return inflated.subarray(0, size);
  } catch (error) {
    if (error instanceof InflateError) throw new ImageError(error.message);
    throw error;
  }
}

/** Converts the pixels of Apple's variant in place: BGR(A) with premultiplied alpha. */
function toStandardPixels(pixels: Uint8Array, header: Header): void {
  if (header.colourType !== TRUECOLOUR && header.colourType !== TRUECOLOUR_ALPHA) return;
  if (header.bitDepth !== 8) throw new ImageError("16-bit image of Apple's variant");
  const pixelBytes = SAMPLES.get(header.colourType) as number;
  for (const { start, rows, rowBytes } of passesOf(header)) {
    unfilterRows(pixels, start, rows, rowBytes, pixelBytes);
    for (let row = 0; row < rows; row++) {
      const from = start + row * (rowBytes + 1) + 1;
      bgraToRgba(pixels.subarray(from, from + rowBytes), pixelBytes);
    }
    filterRows(pixels, start, rows, rowBytes, pixelBytes);
  }
}

/** Converts premultiplied BGR(A) into RGB(A) that is not premultiplied, in place. */
export function bgraToRgba(pixels: Uint8Array, pixelBytes: number): void {
  for (let at = 0; at + pixelBytes <= pixels.length; at += pixelBytes) {
    const blue = pixels[at] as number;
    pixels[at] = pixels[at + 2] as number;
    pixels[at + 2] = blue;
    const alpha = pixelBytes === 4 ? (pixels[at + 3] as number) : 255;
    if (alpha === 255 || alpha === 0) continue;
    for (let sample = at; sample < at + 3; sample++) {
      pixels[sample] = Math.min(255, Math.round(((pixels[sample] as number) * 255) / alpha));
    }
  }
}

/** Reverses the filters of the rows (PNG 9) in place. */
function unfilterRows(data: Uint8Array, start: number, rows: number, rowBytes: number, pixelBytes: number): void {
  const stride = rowBytes + 1;
  for (let row = 0; row < rows; row++) {
    const from = start + row * stride + 1;
    const filter = data[from - 1] as number;
    if (filter > PAETH) throw new ImageError("unknown filter");
    data[from - 1] = 0;
    const hasUp = row > 0;
    if (filter === SUB) unfilterSub(data, from, rowBytes, pixelBytes);
    else if (filter === UP && hasUp) unfilterUp(data, from, rowBytes, stride);
    else if (filter === AVERAGE) unfilterAverage(data, from, rowBytes, pixelBytes, hasUp ? stride : 0);
    else if (filter === PAETH && hasUp) unfilterPaeth(data, from, rowBytes, pixelBytes, stride);
    // In the first row, Paeth predicts the pixel to the left.
    else if (filter === PAETH) unfilterSub(data, from, rowBytes, pixelBytes);
  }
}

function unfilterSub(data: Uint8Array, from: number, rowBytes: number, pixelBytes: number): void {
  for (let at = from + pixelBytes; at < from + rowBytes; at++) {
    data[at] = (data[at] as number) + (data[at - pixelBytes] as number);
  }
}

function unfilterUp(data: Uint8Array, from: number, rowBytes: number, stride: number): void {
  for (let at = from; at < from + rowBytes; at++) data[at] = (data[at] as number) + (data[at - stride] as number);
}

/** @param stride the distance to the row above, in bytes; 0 for the first row */
function unfilterAverage(data: Uint8Array, from: number, rowBytes: number, pixelBytes: number, stride: number): void {
  for (let at = from; at < from + rowBytes; at++) {
    const left = at >= from + pixelBytes ? (data[at - pixelBytes] as number) : 0;
    const up = stride > 0 ? (data[at - stride] as number) : 0;
    data[at] = (data[at] as number) + ((left + up) >> 1);
  }
}

function unfilterPaeth(data: Uint8Array, from: number, rowBytes: number, pixelBytes: number, stride: number): void {
  // For the first pixel, Paeth predicts the pixel above.
  unfilterUp(data, from, Math.min(pixelBytes, rowBytes), stride);
  for (let at = from + pixelBytes; at < from + rowBytes; at++) {
    const left = data[at - pixelBytes] as number;
    const up = data[at - stride] as number;
    const upLeft = data[at - stride - pixelBytes] as number;
    // Written out: this runs for each byte of an icon, mostly before the code is optimized.
    const byUp = up - upLeft;
    const byLeft = left - upLeft;
    const both = byUp + byLeft;
    const toLeft = byUp < 0 ? -byUp : byUp;
    const toUp = byLeft < 0 ? -byLeft : byLeft;
    const toUpLeft = both < 0 ? -both : both;
    const nearest = toLeft <= toUp && toLeft <= toUpLeft ? left : toUp <= toUpLeft ? up : upLeft;
    data[at] = (data[at] as number) + nearest;
  }
}

/** Applies the filter "sub" in place, from the end of each row, so that the byte to the left is still unfiltered. */
function filterRows(data: Uint8Array, start: number, rows: number, rowBytes: number, pixelBytes: number): void {
  for (let row = 0; row < rows; row++) {
    const from = start + row * (rowBytes + 1) + 1;
    data[from - 1] = SUB;
    for (let at = from + rowBytes - 1; at >= from + pixelBytes; at--) {
      data[at] = (data[at] as number) - (data[at - pixelBytes] as number);
    }
  }
}

async function assemble(header: Header, kept: Chunk[], pixels: Uint8Array): Promise<Uint8Array> {
  const ihdr = new Uint8Array(13);
  const data = viewOf(ihdr);
  data.setUint32(0, header.width);
  data.setUint32(4, header.height);
  ihdr.set([header.bitDepth, header.colourType, 0, 0, header.interlaced ? 1 : 0], 8);
  return concatBytes([
    SIGNATURE,
    chunk("IHDR", ihdr),
    ...kept.map(({ type, data }) => chunk(type, data)),
    chunk("IDAT", await deflate(pixels)),
    chunk("IEND", new Uint8Array()),
  ]);
}

/**
 * Compresses to the zlib format (RFC 1950): in one synchronous call for small input on Node, otherwise in chunks, which
 * avoids a copy of all pixels.
 */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  if (nodeZlib && bytes.length <= MAX_SYNC_BYTES) return nodeZlib.deflateSync(bytes);
  let offset = 0;
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(offset, offset + DEFLATE_CHUNK_BYTES)));
      offset += DEFLATE_CHUNK_BYTES;
    },
  });
  return new Uint8Array(await new Response(input.pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(CHUNK_OVERHEAD + data.length);
  const view = viewOf(bytes);
  view.setUint32(0, data.length);
  for (let index = 0; index < 4; index++) bytes[4 + index] = type.charCodeAt(index);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
