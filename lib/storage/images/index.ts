import "server-only";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { tooLarge } from "@/lib/http/body";
import type { ReceivedFile } from "@/lib/http/received-file";
import { storage } from "@/lib/storage";
import { discardFiles, receiveFile } from "@/lib/storage/files";
import { type ImageCaller, ImageRenderer } from "./renderer";

/** A drawn image has at most 512 × 512 pixels, of 8 bytes where it has 16 bits a sample; twice what they take. */
const MAX_PNG_BYTES = 4 * 1024 * 1024;

// Kept outside the module: the routes are bundled apart, and one process draws for all of them.
const kept = globalThis as { slipwayImages?: ImageRenderer };

function renderer(): ImageRenderer {
  kept.slipwayImages ??= new ImageRenderer();
  return kept.slipwayImages;
}

/**
 * Draws an image anew as PNG, at most 512 px wide and high: scripts, metadata, trailing bytes and whatever else a file
 * may carry stay behind (an SVG is drawn too).
 * @param image a PNG, JPEG, WebP or SVG of at most 4,096 × 4,096 pixels
 * @throws ImageError where it is none, or takes too much time or memory; ApiError unavailable
 */
export function renderPng(image: Uint8Array, caller: ImageCaller): Promise<Uint8Array> {
  return renderer().draw({ image }, caller);
}

/**
 * Draws an image as a square, opaque PNG.
 * @param side in pixels
 * @throws as `renderPng`
 */
export function renderAppleIcon(image: Uint8Array, side: number, caller: ImageCaller): Promise<Uint8Array> {
  return renderer().draw({ image, appleIconSide: side }, caller);
}

/**
 * Stores an uploaded image as `renderPng` draws it, and removes the upload.
 * @throws as `renderPng`
 */
export async function storeImage(upload: ReceivedFile, caller: ImageCaller): Promise<ReceivedFile> {
  const bytes = await buffer(await storage().get(upload.storageKey));
  const png = await renderPng(bytes, caller);
  await discardFiles([upload]);
  return storePng(png, `${upload.name.replace(/\.[^.]*$/, "")}.png`);
}

/** Stores a PNG of `renderPng`. */
export function storePng(png: Uint8Array, name: string): Promise<ReceivedFile> {
  return receiveFile({
    name,
    contentType: "image/png",
    body: Readable.from([png]),
    purpose: "image",
    maxBytes: MAX_PNG_BYTES,
    tooLarge: () => tooLarge(MAX_PNG_BYTES),
  });
}
