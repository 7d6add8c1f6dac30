import "server-only";
import { loadUserRights, type UserRights } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { exportReleases } from "@/lib/features/releases/data/lists";
import { readPlaces } from "@/lib/features/releases/data/read-places";
import type { Release } from "@/lib/features/releases/schema";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { isLocale, type Locale } from "@/lib/kernel/i18n/locales";
import { MINUTE_MS } from "@/lib/kernel/time";
import { FEED_ENTRIES, type FeedKind, type FeedState } from "./schema";

/** The tables of the addresses, one row for each user. */
const TABLES: Record<FeedKind, Sql> = { release: sql`"ReleaseFeed"`, calendar: sql`"CalendarFeed"` };

/** The feed of a user. */
export async function findFeed(from: Db, kind: FeedKind, userId: string): Promise<FeedState> {
  const [feed] = await queryRows<{ createdAt: Date; lastReadAt: Date | null }>(
    from,
    sql`SELECT "createdAt", "lastReadAt" FROM ${TABLES[kind]} WHERE "userId" = ${userId}::uuid`,
  );
  return { createdAt: feed?.createdAt.toISOString() ?? null, lastReadAt: feed?.lastReadAt?.toISOString() ?? null };
}

/** Gives the feed of a user a new address; the one before ends. @returns the secret in it */
export async function renewFeed(tx: Db, kind: FeedKind, userId: string, now: Date): Promise<string> {
  const secret = randomToken();
  await queryRows(
    tx,
    sql`
      INSERT INTO ${TABLES[kind]} ("userId", "secretHash", "createdAt")
      VALUES (${userId}::uuid, ${hashToken(secret)}, ${now}::timestamptz)
      ON CONFLICT ("userId") DO UPDATE
        SET "secretHash" = EXCLUDED."secretHash", "createdAt" = EXCLUDED."createdAt", "lastReadAt" = NULL`,
  );
  return secret;
}

/** Ends the address of a user's feed. */
export async function removeFeed(tx: Db, kind: FeedKind, userId: string): Promise<void> {
  await queryRows(tx, sql`DELETE FROM ${TABLES[kind]} WHERE "userId" = ${userId}::uuid`);
}

/** A feed that was opened by its address. */
interface OpenedFeed {
  userId: string;
  /** The name of the console. */
  console: string;
  /** The language that its owner chose; null if they chose none. */
  locale: Locale | null;
  /** What its owner may do now. */
  rights: UserRights;
}

/**
 * Opens a feed by the secret in its address, and notes that it was read, at most once a minute.
 * @returns null if there is no such feed, or its owner is not active
 */
export async function openFeed(db: Db, kind: FeedKind, secret: string, now: Date): Promise<OpenedFeed | null> {
  const [feed] = await queryRows<{ userId: string; lastReadAt: Date | null; console: string; locale: string | null }>(
    db,
    sql`
      SELECT f."userId", f."lastReadAt", c."name" AS "console", u."locale"
      FROM ${TABLES[kind]} f JOIN "User" u ON u."id" = f."userId" JOIN "AppConfig" c ON c."id" = 1
      WHERE f."secretHash" = ${hashToken(secret)}`,
    { prepared: true },
  );
  const rights = feed && (await loadUserRights(db, feed.userId));
  if (!feed || !rights) return null;
  const { userId, lastReadAt, console, locale } = feed;
  if (lastReadAt === null || now.getTime() - lastReadAt.getTime() > MINUTE_MS) {
    await queryRows(
      db,
      sql`UPDATE ${TABLES[kind]} SET "lastReadAt" = ${now}::timestamptz WHERE "userId" = ${userId}::uuid`,
    );
  }
  return { userId, console, rights, locale: isLocale(locale) ? locale : null };
}

/** The last releases that the owner of a feed may read. */
export async function releasesOf(db: Db, { rights: { grants, groups } }: OpenedFeed): Promise<Release[]> {
  const places = await readPlaces(db, { kind: "grants", grants, groups }, {});
  const { items } = await exportReleases(db, places, { limit: FEED_ENTRIES, sort: "-deployDate", format: "json" });
  return items;
}
