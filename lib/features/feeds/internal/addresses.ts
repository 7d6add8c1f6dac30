import "server-only";
import type { BinaryReply } from "@/lib/http/reply";
import { env } from "@/lib/kernel/env";
import type { FeedKind } from "../schema";

/** How long a reader may keep a feed, in seconds. */
const MAX_AGE_SECONDS = 300;

const PATHS: Record<FeedKind, string> = {
  release: "/api/apps/download-release-feed",
  calendar: "/api/expiry/download-calendar-feed",
};

/** The address of a feed. */
export function feedUrl(kind: FeedKind, secret: string): string {
  return `${env.APP_URL}${PATHS[kind]}?token=${secret}`;
}

/** An address as calendars of devices open it. */
export function webcalUrl(url: string): string {
  return url.replace(/^https?:/, "webcal:");
}

/** The answer to a reader of a feed. */
export function feedReply(contentType: string, text: string, headers: Record<string, string> = {}): BinaryReply {
  const body = Buffer.from(text);
  return {
    status: 200,
    headers: {
      "Content-Type": contentType,
      "Content-Length": String(body.byteLength),
      "Cache-Control": `private, max-age=${MAX_AGE_SECONDS}`,
      ...headers,
    },
    body,
  };
}
