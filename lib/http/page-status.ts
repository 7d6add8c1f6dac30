import "server-only";
import type { ServerResponse } from "node:http";
import type { ApiError } from "@/lib/kernel/errors";
import { responseTo } from "./node-server";

/**
 * Answers the page that is being rendered with the status of the failure that it is about to throw, and with `Retry-After`.
 * Next answers a failed page with 500, which says that trying again is of no use, and one that is behind a skeleton with 200.
 * A page that has begun to be sent keeps its status.
 * @param headers the request's
 */
export function answerPageWith(headers: Headers, { status, retryAfter }: ApiError): void {
  const response = responseTo(headers);
  if (!response || response.headersSent) return;
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (written: number, ...rest: unknown[]) => {
    if (written !== (status === 404 ? 200 : 500)) return writeHead(written, ...rest);
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    return writeHead(status, ...rest);
  };
}
