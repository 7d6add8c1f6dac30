import type { LinkEnd } from "./schema";

/** What decides whether a link still opens. */
export interface LinkState {
  expiresAt: Date | null;
  maxInstalls: number | null;
  installCount: number;
  followsLatest: boolean;
  releaseId: string | null;
  /** Whether its application and environment are switched on. */
  active: boolean;
}

/** Why a link no longer opens; null while it does. */
export function linkEnd(link: LinkState, now: Date): LinkEnd | null {
  if (!link.followsLatest && link.releaseId === null) return "release-deleted";
  if (link.expiresAt !== null && link.expiresAt <= now) return "expired";
  if (link.maxInstalls !== null && link.installCount >= link.maxInstalls) return "used-up";
  return link.active ? null : "inactive";
}

/** Whether feedback is taken by a link: as long as it opens, and from those who have used up its installations. */
export function takesFeedback(link: LinkState, now: Date): boolean {
  return linkEnd({ ...link, maxInstalls: null }, now) === null;
}

/** Programs that read a page for a preview or an index, by a part of their User-Agent. */
const READERS =
  /bot\b|crawl|spider|preview|facebookexternalhit|WhatsApp|Slackbot|TelegramBot|Twitterbot|LinkedInBot|Discordbot|SkypeUriPreview/i;

/** Whether a request for a page is a person's: no preview, and nothing that a browser loads in advance. */
export function isOpenedByPerson({ method, headers }: { method: string; headers: Headers }): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? "";
  return method === "GET" && !/prefetch|preview/i.test(purpose) && !READERS.test(headers.get("user-agent") ?? "");
}
