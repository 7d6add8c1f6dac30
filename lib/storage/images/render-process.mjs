/**
 * The program of the process that draws images, started by `renderer.ts`. It sends "ready" over the IPC channel, and then an
 * answer for each drawing that it receives.
 *
 * @typedef {object} Drawing
 * @property {Uint8Array} image a PNG, JPEG, WebP or SVG
 * @property {number} [appleIconSide] pixels; draws a square, opaque icon instead of an image of at most 512 × 512
 * @property {true} [isScreenshot] draws an image of at most 2,048 × 2,048 as WebP
 *
 * @typedef {object} Answer
 * @property {Uint8Array | null} drawn null where the image cannot be read
 */
import { writeFileSync } from "node:fs";
import sharp from "sharp";

/** Logos and avatars are shown at up to 96 px, on screens with up to three pixels per px. */
const MAX_SIDE = 512;
/** The text on the screenshot of a phone, with up to 2,868 pixels in its height, is still legible. */
const SCREENSHOT_SIDE = 2_048;
const SCREENSHOT_QUALITY = 80;
const MAX_PIXELS = 4_096 * 4_096;
/** The most expensive image within MAX_PIXELS, an interlaced PNG with 16 bits per sample, takes 255 MB. */
const MAX_MEMORY_BYTES = 384 * 1024 * 1024;
/** An image can allocate about 1 GB per second, 20 MB between two checks. */
const MEMORY_CHECK_MS = 20;

/** `process.exit` would wait for the thread that draws. */
function die() {
  process.kill(process.pid, "SIGKILL");
}

process.once("disconnect", die);
setInterval(() => process.memoryUsage.rss() > MAX_MEMORY_BYTES && die(), MEMORY_CHECK_MS);
try {
  // If memory runs out, Linux kills this process rather than the server.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Only Linux has this file.
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp", "VipsForeignLoadSvg"],
});

/**
 * @param {Drawing} drawing
 * @returns {Promise<Uint8Array>} a PNG, or a WebP of a screenshot, without metadata
 */
async function draw({ image, appleIconSide: side, isScreenshot }) {
  const picture = sharp(image, { limitInputPixels: MAX_PIXELS, failOn: "error", animated: false });
  if (side !== undefined) {
    const background = "#ffffff";
    return picture.resize(side, side, { fit: "contain", background }).flatten({ background }).png().toBuffer();
  }
  if (isScreenshot) {
    return picture
      .rotate()
      .resize(SCREENSHOT_SIDE, SCREENSHOT_SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .webp({ quality: SCREENSHOT_QUALITY })
      .toBuffer();
  }
  const { format } = await picture.metadata();
  return picture
    .rotate()
    .resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: format !== "svg" })
    .png()
    .toBuffer();
}

process.on("message", async (/** @type {Drawing} */ drawing) => {
  const drawn = await draw(drawing).catch(() => null);
  process.send?.({ drawn });
});
process.send?.("ready");
