import "server-only";
import { loadUserGrants } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { exportReleases, readableEnvironments } from "@/lib/features/releases/data/lists";
import type { Release } from "@/lib/features/releases/schema";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { MINUTE_MS } from "@/lib/kernel/time";
import { sightOf } from "@/lib/permissions/visibility";
import { FEED_ENTRIES, type ReleaseFeed } from "./schema";

/** The address of a feed. */
export function feedUrl(secret: string): string {
  return `${env.APP_URL}/api/apps/download-release-feed?token=${secret}`;
}

/** The feed of a user. */
export async function findFeed(from: Db, userId: string): Promise<ReleaseFeed> {
  const feed = await from.releaseFeed.findUnique({ where: { userId }, select: { createdAt: true, lastReadAt: true } });
  return { createdAt: feed?.createdAt.toISOString() ?? null, lastReadAt: feed?.lastReadAt?.toISOString() ?? null };
}

/** Gives the feed of a user a new address; the one before ends. @returns the secret in it */
export async function renewFeed(tx: Db, userId: string, now: Date): Promise<string> {
  const secret = randomToken();
  const data = { secretHash: hashToken(secret), createdAt: now, lastReadAt: null };
  await tx.releaseFeed.upsert({ where: { userId }, create: { userId, ...data }, update: data });
  return secret;
}

/** Ends the address of a user's feed. */
export async function removeFeed(tx: Db, userId: string): Promise<void> {
  await tx.releaseFeed.deleteMany({ where: { userId } });
}

/**
 * The last releases that the owner of a feed may read now. Notes that it was read, at most once a minute.
 * @returns also the name of the console; null if there is no such feed, or its owner is not active
 */
export async function readFeed(
  db: Db,
  secret: string,
  now: Date,
): Promise<{ userId: string; console: string; releases: Release[] } | null> {
  const [feed] = await queryRows<{ userId: string; lastReadAt: Date | null; console: string }>(
    db,
    sql`
      SELECT f."userId", f."lastReadAt", c."name" AS "console" FROM "ReleaseFeed" f JOIN "AppConfig" c ON c."id" = 1
      WHERE f."secretHash" = ${hashToken(secret)}`,
    { prepared: true },
  );
  const grants = feed && (await loadUserGrants(db, feed.userId));
  if (!feed || !grants) return null;
  const environments = await readableEnvironments(db, sightOf({ kind: "grants", grants }, "release:read"), {});
  const ids = environments.map(({ id }) => id);
  const { items } = await exportReleases(db, ids, { limit: FEED_ENTRIES, sort: "-deployDate", format: "json" });
  if (feed.lastReadAt === null || now.getTime() - feed.lastReadAt.getTime() > MINUTE_MS) {
    await db.releaseFeed.updateMany({ where: { userId: feed.userId }, data: { lastReadAt: now } });
  }
  return { userId: feed.userId, console: feed.console, releases: items };
}
