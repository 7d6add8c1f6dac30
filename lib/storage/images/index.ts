import "server-only";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { tooLarge } from "@/lib/http/body";
import type { ReceivedFile } from "@/lib/http/received-file";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { storage } from "@/lib/storage";
import { discardFiles, receiveFile } from "@/lib/storage/files";
import { type ImageCaller, ImageRenderer } from "./renderer";

/** Twice the size of 512 × 512 pixels with 16 bits per sample. */
const MAX_PNG_BYTES = 4 * 1024 * 1024;
/** A WebP of 2,048 × 2,048 pixels of noise has 3.4 MB. */
const MAX_SCREENSHOT_BYTES = 4 * 1024 * 1024;

export const imageRenderer = processSingleton("images", () => new ImageRenderer());

/**
 * Draws an image as a PNG of at most 512 × 512 pixels. Scripts, metadata and trailing bytes are not copied.
 * @param image a PNG, JPEG, WebP or SVG of at most 4,096 × 4,096 pixels
 * @throws ImageError if it cannot be read or exceeds the limits of time and memory; ApiError unavailable
 */
export function renderPng(image: Uint8Array, caller: ImageCaller): Promise<Uint8Array> {
  return imageRenderer.get().draw({ image }, caller);
}

/**
 * Draws an image as a square, opaque PNG.
 * @param side in pixels
 * @throws as `renderPng`
 */
export function renderAppleIcon(image: Uint8Array, side: number, caller: ImageCaller): Promise<Uint8Array> {
  return imageRenderer.get().draw({ image, appleIconSide: side }, caller);
}

/** An uploaded file's name with the extension of what was drawn of it. */
function drawnName({ name }: ReceivedFile, extension: string): string {
  return `${name.replace(/\.[^.]*$/, "")}.${extension}`;
}

/**
 * Stores the PNG of an uploaded image and removes the upload.
 * @throws as `renderPng`
 */
export async function storeImage(upload: ReceivedFile, caller: ImageCaller): Promise<ReceivedFile> {
  const bytes = await buffer(await storage().get(upload.storageKey, undefined, { isPatient: true }));
  const png = await renderPng(bytes, caller);
  await discardFiles([upload]);
  return storePng(png, drawnName(upload, "png"), caller.id);
}

/**
 * Stores the WebP of an uploaded screenshot or photo, of at most 2,048 × 2,048 pixels, and removes the upload.
 * @throws as `renderPng`
 */
export async function storeScreenshot(upload: ReceivedFile, caller: Omit<ImageCaller, "lane">): Promise<ReceivedFile> {
  const image = await buffer(await storage().get(upload.storageKey, undefined, { isPatient: true }));
  const webp = await imageRenderer.get().draw({ image, isScreenshot: true }, { ...caller, lane: "screenshot" });
  await discardFiles([upload]);
  return receiveFile({
    name: drawnName(upload, "webp"),
    contentType: "image/webp",
    body: Readable.from([webp]),
    purpose: "screenshot",
    isPatient: true,
    maxBytes: MAX_SCREENSHOT_BYTES,
    tooLarge: () => tooLarge(MAX_SCREENSHOT_BYTES),
  });
}

/**
 * Stores the result of `renderPng`.
 * @param createdBy the user or token whose own it is until a command claims it
 */
export function storePng(png: Uint8Array, name: string, createdBy: string): Promise<ReceivedFile> {
  return receiveFile({
    name,
    createdBy,
    contentType: "image/png",
    body: Readable.from([png]),
    purpose: "image",
    isPatient: true,
    maxBytes: MAX_PNG_BYTES,
    tooLarge: () => tooLarge(MAX_PNG_BYTES),
  });
}
