import "server-only";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { type Coding, preferredCoding } from "../compression";
import { decideRange } from "../range";
import type { Handler, RouteRequest } from "../routes";

/** The folders of the built server whose files everybody may read, by path prefix. */
const FOLDERS = [
  // The name of a file of the build changes with its content.
  { prefix: "/_next/static/", folder: join(".next", "static"), immutable: true },
  { prefix: "/", folder: "public", immutable: false },
];

/** The types of all files in these folders. Files of other types are not served to callers without a session. */
const TYPES: Record<string, string> = {
  ".1": "text/troff; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
  ".ico": "image/x-icon",
  ".js": "application/javascript; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".kts": "text/plain; charset=UTF-8",
  ".mjs": "application/javascript; charset=UTF-8",
  ".png": "image/png",
  ".rb": "text/plain; charset=UTF-8",
  ".sh": "text/plain; charset=UTF-8",
  ".sha256": "text/plain; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=UTF-8",
  ".woff2": "font/woff2",
  ".yml": "application/yaml; charset=UTF-8",
};

/** The compressed copies that `scripts/lib/precompress.mjs` writes next to a file, in the order of preference. */
const COPIES: readonly { coding: Coding; extension: string }[] = [
  { coding: "br", extension: ".br" },
  { coding: "gzip", extension: ".gz" },
];

interface StaticFile {
  /** Absolute. */
  file: string;
  type: string;
  immutable: boolean;
  modified: Date;
  copies: typeof COPIES;
}

/** What was read of a file when it had been modified at a time, in milliseconds. */
interface Content {
  modified: number;
  reading: Promise<{ bytes: Buffer; etag: string }>;
}

/** The files of a folder with their paths in it. */
function filesBelow(folder: string): { file: string; path: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { file, path: file.slice(folder.length + sep.length).replaceAll(sep, "/") };
    });
}

/** All files that are served, by their decoded path. */
function indexOf(root: string): Map<string, StaticFile> {
  const index = new Map<string, StaticFile>();
  for (const { prefix, folder, immutable } of FOLDERS) {
    const files = filesBelow(join(/*turbopackIgnore: true*/ root, folder));
    const names = new Set(files.map(({ file }) => file));
    for (const { file, path } of files) {
      const type = TYPES[extname(file)];
      if (type === undefined || index.has(prefix + path)) continue;
      const copies = COPIES.filter(({ extension }) => names.has(file + extension));
      index.set(prefix + path, { file, type, immutable, modified: statSync(file).mtime, copies });
    }
  }
  return index;
}

/** Returns a file as it is now. A copy that is older than the file is not of its content. */
async function refreshed(found: StaticFile): Promise<StaticFile> {
  if (found.immutable) return found;
  const { mtime } = await stat(found.file);
  if (mtime.getTime() === found.modified.getTime()) return found;
  const ages = await Promise.all(found.copies.map(async ({ extension }) => (await stat(found.file + extension)).mtime));
  return { ...found, modified: mtime, copies: found.copies.filter((_, index) => (ages[index] as Date) >= mtime) };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * The files of the build and of `public/`, each with its compressed copies. The files are listed once, so that no path
 * leads out of the folders. A file is read at its first request and kept in memory; the build limits how much that is.
 *
 * Conditions and ranges are evaluated for the representation that the client accepts (RFC 9110, sections 13 and 14).
 *
 * @param root the folder of the built server
 * @returns a function from a path without query to the handler of its file; null if there is none
 */
export function staticFiles(root: string = process.cwd()): (path: string) => Handler | null {
  const index = indexOf(root);
  const contents = new Map<string, Content>();

  const contentOf = (file: string, { modified, immutable }: StaticFile) => {
    const known = contents.get(file);
    if (known && (immutable || known.modified === modified.getTime())) return known.reading;
    const reading = readFile(file).then((bytes) => {
      const hash = createHash("sha256").update(bytes).digest("base64url");
      return { bytes, etag: `"${hash.slice(0, 22)}"` };
    });
    contents.set(file, { modified: modified.getTime(), reading });
    reading.catch(() => contents.delete(file));
    return reading;
  };

  const answer = async (found: StaticFile, request: RouteRequest) => {
    const current = await refreshed(found);
    const { file, type, immutable, modified, copies } = current;
    const accepted = preferredCoding(
      request.headers.get("accept-encoding"),
      copies.map(({ coding }) => coding),
    );
    const copy = copies.find(({ coding }) => coding === accepted);
    const { bytes, etag } = await contentOf(file + (copy?.extension ?? ""), current);
    const headers = new Headers({
      "Cache-Control": immutable ? "public, max-age=31536000, immutable" : "public, max-age=0",
      ETag: etag,
      "Last-Modified": modified.toUTCString(),
    });
    if (found.copies.length > 0) headers.set("Vary", "Accept-Encoding");
    const size = bytes.length;
    const decision = decideRange(request.method, request.headers, { size, etag, lastModified: modified });
    if (decision.status === 304) return { status: 304, headers, body: null };
    if (decision.status === 412) return { status: 412, headers: new Headers(), body: null };
    if (decision.status === 416) {
      return { status: 416, headers: new Headers({ "Content-Range": `bytes */${size}` }), body: null };
    }
    const body = decision.status === 206 ? bytes.subarray(decision.start, decision.end + 1) : bytes;
    headers.set("Accept-Ranges", "bytes");
    headers.set("Content-Type", type);
    headers.set("Content-Length", String(body.length));
    if (copy) headers.set("Content-Encoding", copy.coding);
    if (decision.status === 206) headers.set("Content-Range", `bytes ${decision.start}-${decision.end}/${size}`);
    return { status: decision.status, headers, body };
  };

  return (path) => {
    const file = index.get(decoded(path) ?? "");
    return file === undefined ? null : (request) => answer(file, request);
  };
}
