import "server-only";
import type { Db } from "@/lib/db/client";
import type { SessionMethod } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";

/** A session that has just begun; the token is known to nobody else and kept nowhere. */
export interface NewSession {
  token: string;
  sessionId: string;
  /** Unix seconds. */
  exp: number;
  absoluteExpiresAt: Date;
}

/** Begins a session for a user. */
export async function beginSession(
  tx: Db,
  session: {
    userId: string;
    method: SessionMethod;
    now: Date;
    ip: string | null;
    userAgent: string | null;
    /** True where the way of signing in proves a second factor by itself. */
    secondFactor?: boolean;
  },
): Promise<NewSession> {
  const token = randomToken();
  const sessionId = newId();
  const absoluteExpiresAt = new Date(session.now.getTime() + env.SESSION_ABSOLUTE_SECONDS * 1000);
  const expiresAt = new Date(session.now.getTime() + env.SESSION_IDLE_SECONDS * 1000);
  await tx.session.create({
    data: {
      id: sessionId,
      userId: session.userId,
      tokenHash: hashToken(token),
      method: session.method,
      createdAt: session.now,
      expiresAt,
      absoluteExpiresAt,
      secondFactorAt: session.secondFactor ? session.now : null,
      ip: session.ip,
      userAgent: session.userAgent,
    },
  });
  return { token, sessionId, exp: Math.floor(expiresAt.getTime() / 1000), absoluteExpiresAt };
}

/**
 * Puts a session in the place of one that has passed its second factor: a new id and a new token, so that a token that
 * was seen before opens nothing that came after. Its absolute end stays where it was.
 * @throws ApiError session_expired where the old one has ended meanwhile
 */
export async function passSecondFactor(tx: Db, sessionId: string, now: Date): Promise<NewSession> {
  const old = await tx.session.findUnique({ where: { id: sessionId } });
  if (!old) throw new ApiError("session_expired");
  // Of two requests at the same moment, one finds it gone.
  await lockSession(tx, { userId: old.userId, sessionId });
  await endSession(tx, sessionId);
  const token = randomToken();
  const expiresAt = idleEnd(now, old.absoluteExpiresAt);
  const renewed = { ...old, id: newId(), tokenHash: hashToken(token), expiresAt, secondFactorAt: now };
  await tx.session.create({ data: renewed });
  return {
    token,
    sessionId: renewed.id,
    exp: Math.floor(expiresAt.getTime() / 1000),
    absoluteExpiresAt: old.absoluteExpiresAt,
  };
}

/**
 * Locks a session for a change that ends or replaces it. The user's row is locked first, as `endSessions` does and as
 * every sign-in does by writing to it, so that none of them overtakes another.
 * @throws ApiError session_expired where it has been ended, or its user switched off
 */
export async function lockSession(tx: Db, session: { userId: string; sessionId: string }): Promise<void> {
  const { userId, sessionId } = session;
  await lockRow(tx, "User", userId);
  const alive = await queryRows(
    tx,
    sql`
    SELECT 1 FROM "Session" s WHERE s."id" = ${sessionId}::uuid
      AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = s."userId" AND u."status" = 'active') FOR UPDATE`,
  );
  if (alive.length === 0) throw new ApiError("session_expired");
}

/** When a session ends that is used now and not again. */
function idleEnd(now: Date, absoluteExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + env.SESSION_IDLE_SECONDS * 1000, absoluteExpiresAt.getTime()));
}

/**
 * Moves a session's idle end forward, never past its absolute end and never back.
 * @returns its new end, Unix seconds
 * @throws ApiError session_expired where it has ended meanwhile
 */
export async function slideSession(tx: Db, sessionId: string, now: Date): Promise<number> {
  const idle = new Date(now.getTime() + env.SESSION_IDLE_SECONDS * 1000);
  const [session] = await queryRows<{ expiresAt: Date }>(
    tx,
    sql`
    UPDATE "Session" SET "expiresAt" = least(greatest("expiresAt", ${idle}), "absoluteExpiresAt")
    WHERE "id" = ${sessionId}::uuid RETURNING "expiresAt"`,
  );
  if (!session) throw new ApiError("session_expired");
  return Math.floor(session.expiresAt.getTime() / 1000);
}

/** Ends sessions of a user on every instance at once: all of them, or all but one. */
export async function endSessions(tx: Db, userId: string, exceptSessionId?: string): Promise<void> {
  await lockRow(tx, "User", userId);
  await tx.session.deleteMany({ where: { userId, ...(exceptSessionId && { id: { not: exceptSessionId } }) } });
}

/** Ends one session. */
export async function endSession(tx: Db, sessionId: string): Promise<void> {
  await tx.session.deleteMany({ where: { id: sessionId } });
}
