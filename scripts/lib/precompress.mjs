import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The types that compression makes smaller. Images and fonts are compressed already. */
const EXTENSIONS = new Set([".css", ".js", ".json", ".svg", ".txt"]);
/** Shorter files fit into one packet. */
const MIN_BYTES = 1024;

/** @param {string} file */
async function compress(file) {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const copies = await Promise.all([
    compressBrotli(bytes, { params }).then((copy) => ({ copy, path: `${file}.br` })),
    compressGzip(bytes, { level: constants.Z_BEST_COMPRESSION }).then((copy) => ({ copy, path: `${file}.gz` })),
  ]);
  for (const { copy, path } of copies) if (copy.length < bytes.length) await writeFile(path, copy);
}

/**
 * Writes a Brotli and a gzip copy next to each text file of a folder that they make smaller. `lib/http/server/static-files.ts`
 * serves them.
 *
 * @param {string} folder
 */
export async function precompress(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && EXTENSIONS.has(extname(entry.name)));
  await Promise.all(files.map(({ parentPath, name }) => compress(join(parentPath, name))));
}
