import "server-only";
import { issueTokenIf, peekToken, TOKEN_LIFETIME_SECONDS } from "@/lib/auth/one-time-tokens";
import { verifyPassword } from "@/lib/auth/passwords";
import { db } from "@/lib/db/client";
import { sql } from "@/lib/db/query";
import { cookieName, hostCookie } from "@/lib/http/cookies";
import { networkOf, siteOf, widestNetworkOf } from "@/lib/http/network";
import { type Counter, consume, limiterKey, takeBack } from "@/lib/http/rate-limit";
import { cookieValue, type RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import type { VisitedLink } from "../data";

/** Wrong passwords for one link from one network. */
const PER_LINK_AND_NETWORK = { points: 10, seconds: 900 };
/** The same from all networks of an IPv6 /48, of which one caller may have 65,536. It reaches a sixth of `PER_LINK` in an hour. */
const PER_LINK_AND_SITE = { points: 40, seconds: 900 };
/** Wrong passwords from one network for all links: each costs a slow hash. */
const PER_NETWORK = { points: 100, seconds: 3_600 };
/** The same from all networks of an IPv6 /48. */
const PER_SITE = { points: 400, seconds: 3_600 };
/** Wrong passwords for one link from all networks: the limit for a distributed attack. */
const PER_LINK = { points: 1_000, seconds: 3_600 };

const PURPOSE = "share-link";

/** The name of the cookie of one link, which tells no more than its code. The cookies of other links do not open it. */
const linkCookie = (hash: string) => `slipway-link-${hash.slice(0, 32)}`;

/** Whether the browser of a request has shown the password of a link, or the link needs none. */
export async function isUnlocked(
  { id, hash, passwordHash }: Pick<VisitedLink, "id" | "hash" | "passwordHash">,
  { headers, now }: Pick<RequestFacts, "headers" | "now">,
): Promise<boolean> {
  if (passwordHash === null) return true;
  const token = cookieValue(headers, cookieName(linkCookie(hash)));
  if (token === undefined) return false;
  return (await peekToken(db, { purpose: PURPOSE, subject: id, token, now }))?.state === "valid";
}

/** What a password for a link is counted at, in this order: the counters after an exceeded one do not count it. */
function countersOf(linkId: string, ip: string | null): Counter[] {
  const network = networkOf(ip);
  const site = siteOf(ip);
  return [
    { name: "share-link-network", limit: PER_LINK_AND_NETWORK, key: limiterKey(linkId, network) },
    ...(site === null ? [] : [{ name: "share-link-site", limit: PER_LINK_AND_SITE, key: limiterKey(linkId, site) }]),
    { name: "share-links-network", limit: PER_NETWORK, key: network },
    ...(site === null ? [] : [{ name: "share-links-site", limit: PER_SITE, key: site }]),
    { name: "share-link", limit: PER_LINK, key: linkId },
  ];
}

/**
 * Checks the password of a link. Attempts are counted before the password is compared, over all instances; the right ones are taken
 * back.
 * @returns a Set-Cookie value that opens this link for twelve hours, until its password is changed; null if it needs no password
 * @throws ApiError password_required for a wrong password, rate_limited
 */
export async function unlock(
  { id, hash, passwordHash }: Pick<VisitedLink, "id" | "hash" | "passwordHash">,
  password: string,
  { ip, now }: Pick<RequestFacts, "ip" | "now">,
): Promise<string | null> {
  if (passwordHash === null) return null;
  const counters = countersOf(id, ip);
  for (const counter of counters) await consume(counter);
  const isRight = await verifyPassword(passwordHash, password, { lane: "link", id: widestNetworkOf(ip) });
  // The password may have been changed since the link was read. The lock waits for a change, and a change waits for the token.
  const isUnchanged = sql`
    SELECT 1 FROM "ShareLink"
    WHERE "id" = ${id}::uuid AND "deletedAt" IS NULL AND "passwordHash" = ${passwordHash} FOR SHARE`;
  const issued = isRight && (await issueTokenIf(db, { purpose: PURPOSE, subject: id, now }, isUnchanged));
  if (!issued) throw new ApiError("password_required", { detailKey: "detailWrong" });
  await takeBack(counters);
  return hostCookie(linkCookie(hash), issued.token, { lifetime: `Max-Age=${TOKEN_LIFETIME_SECONDS[PURPOSE]}` });
}
