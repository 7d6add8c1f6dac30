import "server-only";
import type { ServerResponse } from "node:http";
import type { ApiError } from "@/lib/kernel/errors";
import { responseTo } from "./node-server";

/**
 * Has the page that is being rendered answered with the status of the failure that it is about to throw, and with
 * `Retry-After`: Next answers each failed page with 500, which tells browsers, proxies and monitoring that trying again
 * is of no use. A page that has begun to be sent keeps its status.
 * @param headers the request's
 */
export function answerPageWith(headers: Headers, { status, retryAfter }: ApiError): void {
  const response = responseTo(headers);
  if (!response || response.headersSent) return;
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (written: number, ...rest: unknown[]) => {
    if (written !== 500) return writeHead(written, ...rest);
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    return writeHead(status, ...rest);
  };
}
