import "server-only";
import { buffer } from "node:stream/consumers";
import { storage } from "@/lib/storage";
import { renderAppleIcon } from "@/lib/storage/images";

/** A grey box for apps without an icon. It has no text, because a server may have no fonts. */
const NEUTRAL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
  <rect width="512" height="512" fill="#e4e4e7"/>
  <g fill="none" stroke="#71717a" stroke-width="20" stroke-linejoin="round">
    <path d="M256 136 368 196v120L256 376 144 316V196Z"/>
    <path d="m144 196 112 60 112-60M256 256v120"/>
  </g>
</svg>`;

/**
 * An app's icon as iOS requires it for a manifest: a square, opaque PNG.
 * @param release the ID of the release and the storage key of its icon; null if it has no icon
 * @param side in pixels
 * @param signal aborted when the caller no longer waits
 */
export async function appleIcon(
  release: { id: string; iconKey: string | null },
  side: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { id, iconKey } = release;
  const image = iconKey === null ? Buffer.from(NEUTRAL) : await buffer(await storage().get(iconKey));
  try {
    return await renderAppleIcon(image, side, { lane: "install", id, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
