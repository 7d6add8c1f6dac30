import "server-only";
import type { ServerResponse } from "node:http";
import type { ApiError } from "@/lib/kernel/errors";
import { escapeHtml } from "@/lib/kernel/html";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { requestIdOf, responseTo } from "./node-server";
import { problemOf } from "./problem";
import { localeOf } from "./request-facts";

const BODY_TAG = "<body>";
const STYLE = "max-width:34rem;margin:20vh auto 0;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif";

/** The failure for browsers without JavaScript: Next leaves the document of a failed page empty and renders it in the browser. */
function failureWithoutScript(headers: Headers, error: ApiError): string {
  const locale = localeOf(headers);
  const { title, detail } = problemOf(error, locale, requestIdOf(headers));
  const retry = translatorFor(locale)("common.retry");
  return `<noscript><main style="${STYLE}"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(detail)}</p><p><a href="">${escapeHtml(retry)}</a></p></main></noscript>`;
}

/** Inserts text at the beginning of the body of the document, if it is sent with one of the given statuses. */
function insertIntoBody(response: ServerResponse, statuses: readonly number[], text: string): void {
  let isPending = true;
  const inserted = (chunk: unknown): unknown => {
    if (!isPending || !statuses.includes(response.statusCode)) return chunk;
    if (!(typeof chunk === "string" || chunk instanceof Uint8Array)) return chunk;
    const bytes = Buffer.from(chunk);
    const at = bytes.indexOf(BODY_TAG);
    if (at === -1) return chunk;
    isPending = false;
    const begin = at + BODY_TAG.length;
    return Buffer.concat([bytes.subarray(0, begin), Buffer.from(text), bytes.subarray(begin)]);
  };
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.write = (chunk: unknown, ...rest: unknown[]) => write(inserted(chunk), ...rest);
  response.end = (chunk?: unknown, ...rest: unknown[]) => end(inserted(chunk), ...rest);
}

/**
 * Answers the page that is being rendered with the status of the failure that it is about to throw, with `Retry-After`, and with
 * the failure in the document for browsers without JavaScript.
 * Next answers a failed page with 500, which says that trying again is of no use, and one that is behind a skeleton with 200.
 * A page that has begun to be sent keeps its status.
 * @param headers the request's
 */
export function answerPageWith(headers: Headers, error: ApiError): void {
  const response = responseTo(headers);
  if (!response || response.headersSent) return;
  const { status, retryAfter } = error;
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (written: number, ...rest: unknown[]) => {
    if (written !== (status === 404 ? 200 : 500)) return writeHead(written, ...rest);
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    return writeHead(status, ...rest);
  };
  // Next sends a failed document in pieces, without its length. The not-found page has content.
  if (status !== 404) insertIntoBody(response, [500, status], failureWithoutScript(headers, error));
}
