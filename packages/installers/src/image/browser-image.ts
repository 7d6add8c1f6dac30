/** Pixels of the width and height to which an image is scaled down. */
const MAX_SIDE = 512;

async function convert(image: Uint8Array): Promise<Uint8Array | null> {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(image)])).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const png = await canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await png.arrayBuffer());
}

/** Converts an image to PNG; undefined where the platform draws none. */
export const browserToPng =
  typeof createImageBitmap === "function" && typeof OffscreenCanvas === "function" ? convert : undefined;
