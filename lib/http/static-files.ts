import "server-only";
import { statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join, sep } from "node:path";
import { decideRange } from "./range";
import type { CompleteReply } from "./reply";

/** The folders from which Next serves files, by path prefix. The first that matches applies. */
const FOLDERS = [
  { prefix: "/_next/static/", folder: join(".next", "static") },
  { prefix: "/", folder: "public" },
];
const CONDITIONS = ["if-match", "if-unmodified-since", "range"] as const;

function findFile(path: string): { size: number; mtime: Date } | undefined {
  const { prefix, folder } = FOLDERS.find(({ prefix }) => path.startsWith(prefix)) ?? {};
  if (prefix === undefined || folder === undefined) return undefined;
  const root = join(/*turbopackIgnore: true*/ process.cwd(), folder);
  try {
    const file = join(root, decodeURIComponent(path.slice(prefix.length)));
    const stat = file.startsWith(root + sep) ? statSync(file, { throwIfNoEntry: false }) : undefined;
    return stat?.isFile() ? stat : undefined;
  } catch {
    // The path is malformed or contains a NUL.
    return undefined;
  }
}

/**
 * Evaluates the conditions and the range of a request for a file of the build or of `public/` (RFC 9110, sections 13 and
 * 14), and removes what it has evaluated from the request. Next answers 500 if they do not hold.
 * @param path without the query
 * @returns 412 or 416; null if the request can be passed on
 */
export function refusalOfConditions(request: IncomingMessage, path: string): CompleteReply | null {
  if (!CONDITIONS.some((name) => name in request.headers)) return null;
  const file = findFile(path);
  if (!file) return null;
  const { headers } = request;
  const asked = new Headers(
    ["if-range", ...CONDITIONS].flatMap((name): [string, string][] =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  );
  const decision = decideRange(request.method ?? "", asked, {
    size: file.size,
    // The weak entity tag that Next sends.
    etag: `W/"${file.size.toString(16)}-${file.mtime.getTime().toString(16)}"`,
    lastModified: file.mtime,
  });
  if (decision.status === 412) return { status: 412, headers: new Headers(), body: null };
  if (decision.status === 416) {
    const headers = new Headers({ "Accept-Ranges": "bytes", "Content-Range": `bytes */${file.size}` });
    return { status: 416, headers, body: null };
  }
  delete headers["if-match"];
  delete headers["if-unmodified-since"];
  if (decision.status !== 206) delete headers.range;
  return null;
}
