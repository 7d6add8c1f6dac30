import "server-only";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { tooLarge } from "@/lib/http/body";
import type { ReceivedFile } from "@/lib/http/received-file";
import { storage } from "@/lib/storage";
import { discardFiles, receiveFile } from "@/lib/storage/files";

/** Logos and avatars are shown at 96 px at most, on screens of three pixels to one. */
const MAX_SIDE = 512;
/** A picture that unpacks to more pixels than this is no logo. */
const MAX_PIXELS = 4_096 * 4_096;
const DRAWABLE = new Set(["png", "jpeg", "webp", "svg"]);

/**
 * Draws an uploaded picture anew as PNG, at most 512 px wide and high: scripts, metadata, trailing bytes and whatever
 * else a file may carry stay behind (an SVG is drawn too). The original is removed.
 * @returns null where it is no PNG, JPEG, WebP or SVG
 */
export async function storeImage(original: ReceivedFile): Promise<ReceivedFile | null> {
  const bytes = await buffer(await storage().get(original.storageKey));
  const drawn = await draw(bytes);
  await discardFiles([original]);
  return drawn && storeDrawn(drawn, `${original.name.replace(/\.[^.]*$/, "")}.png`);
}

/** Stores a picture that is ours already. */
export function storeDrawn(png: Uint8Array, name: string): Promise<ReceivedFile> {
  return receiveFile({
    name,
    contentType: "image/png",
    body: Readable.from([png]),
    purpose: "image",
    maxBytes: MAX_PIXELS,
    tooLarge: () => tooLarge(MAX_PIXELS),
  });
}

/** A picture as an ordinary PNG; null where it cannot be drawn. */
export async function draw(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", animated: false });
    const { format } = await picture.metadata();
    if (!format || !DRAWABLE.has(format)) return null;
    return await picture
      .rotate()
      .resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: format !== "svg" })
      .png()
      .toBuffer();
  } catch {
    return null;
  }
}
