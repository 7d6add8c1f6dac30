import { startsWithAscii, viewOf } from "../encoding/bytes";
import { MAX_ICON_BYTES, MAX_ICON_PIXELS } from "../limits";
import type { InstallerIcon } from "../types";
import { ImageError, isPng, readPng } from "./png";

/**
 * Reads an icon from an image file: PNG (including Apple's variant), JPEG or WebP, detected by the contents.
 * @returns null for other formats, damaged files, and images beyond MAX_ICON_BYTES or MAX_ICON_PIXELS
 */
export async function readIcon(bytes: Uint8Array, signal?: AbortSignal): Promise<InstallerIcon | null> {
  if (bytes.length > MAX_ICON_BYTES) return null;
  if (isPng(bytes)) return readPngIcon(bytes, signal);
  const jpeg = jpegSize(bytes);
  if (jpeg) return withinLimits({ bytes, contentType: "image/jpeg", ...jpeg });
  const webp = webpSize(bytes);
  return webp ? withinLimits({ bytes, contentType: "image/webp", ...webp }) : null;
}

async function readPngIcon(bytes: Uint8Array, signal?: AbortSignal): Promise<InstallerIcon | null> {
  try {
    return { ...(await readPng(bytes, signal)), contentType: "image/png" };
  } catch (error) {
    if (error instanceof ImageError) return null;
    throw error;
  }
}

function withinLimits(icon: InstallerIcon): InstallerIcon | null {
  const sides = [icon.width, icon.height];
  return sides.every((side) => side > 0 && side <= MAX_ICON_PIXELS) ? icon : null;
}

/** The size of a JPEG, from its frame header (ITU-T T.81 B.2.2). */
function jpegSize(bytes: Uint8Array): { width: number; height: number } | null {
  const data = viewOf(bytes);
  if (bytes.length < 4 || data.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) };
    if (marker === 0xd9 || marker === 0xda) return null;
    at += 2 + data.getUint16(at + 2);
  }
  return null;
}

/** The size of a WebP, from its first chunk (RFC 9649). */
function webpSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes.length < 30 || !startsWithAscii(bytes, "RIFF") || !startsWithAscii(bytes, "WEBP", 8)) return null;
  const data = viewOf(bytes);
  if (startsWithAscii(bytes, "VP8X", 12)) {
    return { width: 1 + (data.getUint32(24, true) & 0xffffff), height: 1 + (data.getUint32(26, true) >>> 8) };
  }
  if (startsWithAscii(bytes, "VP8L", 12) && bytes[20] === 0x2f) {
    const bits = data.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (startsWithAscii(bytes, "VP8 ", 12) && data.getUint32(23) >>> 8 === 0x9d012a) {
    return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
  }
  return null;
}
