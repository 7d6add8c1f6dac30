import "server-only";
import { issueTokenIf, peekToken, TOKEN_LIFETIME_SECONDS } from "@/lib/auth/one-time-tokens";
import { verifyPassword } from "@/lib/auth/passwords";
import { db } from "@/lib/db/client";
import { sql } from "@/lib/db/query";
import { cookieName, hostCookie } from "@/lib/http/cookies";
import { networkOf } from "@/lib/http/network";
import { consume, limiterKey } from "@/lib/http/rate-limit";
import { cookieValue, type RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import type { VisitedLink } from "../data";

/** Passwords for one link from one network. */
const PER_LINK_AND_NETWORK = { points: 10, seconds: 900 };
/** Passwords from one network for all links: each costs a slow hash. */
const PER_NETWORK = { points: 100, seconds: 3_600 };
/** Passwords for one link from all networks. */
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

/**
 * Checks the password of a link. Attempts are counted before the password is compared, over all instances.
 * @returns a Set-Cookie value that opens this link for twelve hours, until its password is changed; null if it needs no password
 * @throws ApiError password_required for a wrong password, rate_limited
 */
export async function unlock(
  { id, hash, passwordHash }: Pick<VisitedLink, "id" | "hash" | "passwordHash">,
  password: string,
  { ip, now }: Pick<RequestFacts, "ip" | "now">,
): Promise<string | null> {
  if (passwordHash === null) return null;
  const network = networkOf(ip);
  const counters = [
    { name: "share-link-network", limit: PER_LINK_AND_NETWORK, key: limiterKey(id, network) },
    { name: "share-links-network", limit: PER_NETWORK, key: network },
    { name: "share-link", limit: PER_LINK, key: id },
  ];
  for (const counter of counters) await consume(counter);
  const isRight = await verifyPassword(passwordHash, password);
  // The password may have been changed since the link was read. The lock waits for a change, and a change waits for the token.
  const isUnchanged = sql`
    SELECT 1 FROM "ShareLink"
    WHERE "id" = ${id}::uuid AND "deletedAt" IS NULL AND "passwordHash" = ${passwordHash} FOR SHARE`;
  const issued = isRight && (await issueTokenIf(db, { purpose: PURPOSE, subject: id, now }, isUnchanged));
  if (!issued) throw new ApiError("password_required", { detailKey: "detailWrong" });
  return hostCookie(linkCookie(hash), issued.token, { lifetime: `Max-Age=${TOKEN_LIFETIME_SECONDS[PURPOSE]}` });
}
