import { crc32, deflateRawSync, deflateSync } from "node:zlib";

export interface IconOptions {
  /** Pixels, in both directions. */
  size: number;
  /** Hue of the background, in degrees. */
  hue?: number;
  /** Apple's variant of PNG, as in apps built by Xcode. */
  cgbi?: boolean;
  /** Bytes per pixel: 4 with alpha (default), 3 without. */
  channels?: 3 | 4;
}

/**
 * Draws an app icon: a disc on a gradient, with antialiased edges and, with alpha, rounded corners.
 * @returns rows of RGB(A), not premultiplied
 */
export function drawIcon({ size, hue = 210, channels = 4 }: IconOptions): Uint8Array {
  const pixels = new Uint8Array(size * size * channels);
  const radius = size * 0.22;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const shade = 0.75 + 0.25 * (1 - y / size);
      const disc = smooth(size * 0.3 - Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2));
      const cornerX = Math.max(radius - x - 0.5, x + 0.5 - (size - radius), 0);
      const cornerY = Math.max(radius - y - 0.5, y + 0.5 - (size - radius), 0);
      const colour = [0, 120, 240].map((angle) => {
        const background = 255 * shade * (0.55 + 0.45 * Math.cos(((hue + angle) * Math.PI) / 180));
        return Math.round(background + (255 - background) * disc);
      });
      const alpha = Math.round(255 * smooth(radius - Math.hypot(cornerX, cornerY)));
      pixels.set(channels === 4 ? [...colour, alpha] : colour, (y * size + x) * channels);
    }
  }
  return pixels;
}

const encodedIcons = new Map<string, Buffer>();

/** Draws an app icon and encodes it as a PNG, standard or Apple's variant. An icon is drawn once, and each call has a copy. */
export function makeIcon(options: IconOptions): Uint8Array {
  const key = JSON.stringify([options.size, options.hue, options.channels, options.cgbi]);
  const encoded = encodedIcons.get(key) ?? encodeIcon(options);
  encodedIcons.set(key, encoded);
  return Buffer.from(encoded);
}

function encodeIcon(options: IconOptions): Buffer {
  const { size, channels = 4, cgbi = false } = options;
  const pixels = cgbi ? toApplePixels(drawIcon(options), channels) : drawIcon(options);
  const rows = Buffer.alloc(size * (size * channels + 1));
  for (let row = 0; row < size; row++) {
    filterRow(rows, pixels, row, size * channels, channels);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, channels === 4 ? 6 : 2], 8);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    ...(cgbi ? [pngChunk("CgBI", Buffer.of(0x50, 0x00, 0x20, 0x06))] : []),
    pngChunk("IHDR", header),
    pngChunk("IDAT", cgbi ? deflateRawSync(rows) : deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One chunk of a PNG. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(body, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

function smooth(distance: number): number {
  return Math.min(1, Math.max(0, distance + 0.5));
}

function toApplePixels(pixels: Uint8Array, channels: number): Uint8Array {
  const apple = pixels.slice();
  for (let at = 0; at < pixels.length; at += channels) {
    const alpha = channels === 4 ? (pixels[at + 3] as number) : 255;
    for (let channel = 0; channel < 3; channel++) {
      apple[at + channel] = Math.round(((pixels[at + 2 - channel] as number) * alpha) / 255);
    }
  }
  return apple;
}

/** Writes a row with one of the five filters, which alternate. */
function filterRow(rows: Buffer, pixels: Uint8Array, row: number, rowBytes: number, pixelBytes: number): void {
  const filter = row % 5;
  const from = row * rowBytes;
  rows[row * (rowBytes + 1)] = filter;
  for (let index = 0; index < rowBytes; index++) {
    const at = from + index;
    const left = index >= pixelBytes ? (pixels[at - pixelBytes] as number) : 0;
    const up = row > 0 ? (pixels[at - rowBytes] as number) : 0;
    const upLeft = row > 0 && index >= pixelBytes ? (pixels[at - rowBytes - pixelBytes] as number) : 0;
    const estimate = left + up - upLeft;
    const paeth = [left, up, upLeft].reduce((best, candidate) =>
      Math.abs(estimate - candidate) < Math.abs(estimate - best) ? candidate : best,
    );
    const predicted = [0, left, up, Math.floor((left + up) / 2), paeth][filter] as number;
    rows[row * (rowBytes + 1) + 1 + index] = ((pixels[at] as number) - predicted) & 0xff;
  }
}
