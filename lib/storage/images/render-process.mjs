/**
 * The program of the process that draws images; `renderer.ts` starts it. Over the IPC channel it says that it is ready,
 * and answers each drawing that it is sent.
 *
 * @typedef {object} Drawing
 * @property {Uint8Array} image a PNG, JPEG, WebP or SVG
 * @property {number} [appleIconSide] pixels: makes a square, opaque icon instead of an image of at most 512 × 512
 *
 * @typedef {object} Answer
 * @property {Uint8Array | null} png null where the image cannot be read
 */
import { writeFileSync } from "node:fs";
import sharp from "sharp";

/** Logos and avatars are shown at 96 px at most, on screens of three pixels to one. */
const MAX_SIDE = 512;
/** An image that unpacks to more pixels than this is no logo. */
const MAX_PIXELS = 4_096 * 4_096;
/** Drawing an interlaced PNG of the most pixels, with 16 bits a sample, takes 255 MB. */
const MAX_MEMORY_BYTES = 384 * 1024 * 1024;
/** An image fills memory at about a gigabyte per second. */
const MEMORY_CHECK_MS = 20;

/** Ends this process even while a thread of it draws, which `process.exit` would wait for. */
function die() {
  process.kill(process.pid, "SIGKILL");
}

process.once("disconnect", die);
setInterval(() => process.memoryUsage.rss() > MAX_MEMORY_BYTES && die(), MEMORY_CHECK_MS);
try {
  // Where the machine's memory runs out, Linux is to kill this process rather than the server.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Other systems have no such file.
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp", "VipsForeignLoadSvg"],
});

/**
 * @param {Drawing} drawing
 * @returns {Promise<Uint8Array>} a PNG that holds pixels alone
 */
async function draw({ image, appleIconSide: side }) {
  const picture = sharp(image, { limitInputPixels: MAX_PIXELS, failOn: "error", animated: false });
  if (side !== undefined) {
    const background = "#ffffff";
    return picture.resize(side, side, { fit: "contain", background }).flatten({ background }).png().toBuffer();
  }
  const { format } = await picture.metadata();
  return picture
    .rotate()
    .resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: format !== "svg" })
    .png()
    .toBuffer();
}

process.on("message", async (/** @type {Drawing} */ drawing) => {
  const png = await draw(drawing).catch(() => null);
  process.send?.({ png });
});
process.send?.("ready");
