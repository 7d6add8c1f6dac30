import "server-only";
import type { Db } from "@/lib/db/client";
import type { Session, SessionMethod } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";

/** A session that has just begun. Its token is not stored. */
interface NewSession {
  token: string;
  sessionId: string;
  /** Unix seconds. */
  exp: number;
  absoluteExpiresAt: Date;
}

/** A session's row without what is made for each: its id, the hash of its token and its idle end. */
type SessionFacts = Omit<Session, "id" | "tokenHash" | "expiresAt">;

async function insertSession(tx: Db, facts: SessionFacts, now: Date): Promise<NewSession> {
  const token = randomToken();
  const id = newId();
  const { absoluteExpiresAt } = facts;
  const expiresAt = idleEnd(now, absoluteExpiresAt);
  const { userId, method, createdAt, secondFactorAt, secondFactorConfirmedAt, ip, userAgent } = facts;
  await queryRows(
    tx,
    sql`
    INSERT INTO "Session" ("id", "userId", "tokenHash", "method", "createdAt", "expiresAt", "absoluteExpiresAt",
      "secondFactorAt", "secondFactorConfirmedAt", "ip", "userAgent")
    VALUES (${id}::uuid, ${userId}::uuid, ${hashToken(token)}, ${method}::"SessionMethod", ${createdAt}, ${expiresAt},
      ${absoluteExpiresAt}, ${secondFactorAt}, ${secondFactorConfirmedAt}, ${ip}, ${userAgent})`,
    { prepared: true },
  );
  return { token, sessionId: id, exp: Math.floor(expiresAt.getTime() / 1000), absoluteExpiresAt };
}

function absoluteEnd(now: Date): Date {
  return new Date(now.getTime() + env.SESSION_ABSOLUTE_SECONDS * 1000);
}

/** What a session knows of its user's second factor. */
export interface SecondFactorState {
  at: Date | null;
  confirmedAt: Date | null;
}

/** Adds a session of a user. A sign-in calls `beginSession` of lib/features/auth, which also records it. */
export function createSession(
  tx: Db,
  session: {
    userId: string;
    method: SessionMethod;
    now: Date;
    ip: string | null;
    userAgent: string | null;
    /** True if the way of signing in proves a second factor by itself, or the state of the session that it comes from. */
    secondFactor?: boolean | SecondFactorState;
    /** The absolute end of the session that it comes from, so that sessions do not renew themselves; for a sign-in, a new one. */
    absoluteExpiresAt?: Date;
  },
): Promise<NewSession> {
  const { now, secondFactor, absoluteExpiresAt = absoluteEnd(now), ...facts } = session;
  const passed = secondFactor === true ? now : null;
  const { at, confirmedAt } = typeof secondFactor === "object" ? secondFactor : { at: passed, confirmedAt: passed };
  const factor = { secondFactorAt: at, secondFactorConfirmedAt: confirmedAt };
  return insertSession(tx, { ...facts, ...factor, createdAt: now, absoluteExpiresAt }, now);
}

/**
 * Replaces a session that has passed its second factor by one with a new id and a new token, so that a token that was
 * seen before the second factor gives no access afterwards. The absolute end stays the same.
 * @param options.confirmed false for a recovery code, which is no proof for what requires a recent second factor
 * @throws ApiError session_expired if the session has ended in the meantime
 */
export async function passSecondFactor(
  tx: Db,
  sessionId: string,
  now: Date,
  { confirmed = true } = {},
): Promise<NewSession> {
  const old = await tx.session.findUnique({ where: { id: sessionId } });
  if (!old) throw new ApiError("session_expired");
  // Of two simultaneous requests, one finds it gone.
  await lockSession(tx, { userId: old.userId, sessionId });
  await endSession(tx, sessionId);
  const secondFactorConfirmedAt = confirmed ? now : old.secondFactorConfirmedAt;
  return insertSession(tx, { ...old, secondFactorAt: now, secondFactorConfirmedAt }, now);
}

/**
 * Records that a session which has passed its second factor has proved it again. Its id and token stay the same, so that
 * other calls of the same browser continue.
 * @throws ApiError session_expired if the session has ended in the meantime
 */
export async function confirmSecondFactor(tx: Db, sessionId: string, now: Date): Promise<void> {
  const { count } = await tx.session.updateMany({ where: { id: sessionId }, data: { secondFactorConfirmedAt: now } });
  if (count === 0) throw new ApiError("session_expired");
}

/**
 * Locks a session for a change that ends or replaces it. The user's row is locked first, as in `endSessions` and in
 * every sign-in, so that these changes run one after the other.
 * @throws ApiError session_expired if it has ended, or its user is switched off
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

/** When a session ends that is used now and not again: after its idle time, at its absolute end at the latest. */
function idleEnd(now: Date, absoluteExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + env.SESSION_IDLE_SECONDS * 1000, absoluteExpiresAt.getTime()));
}

/**
 * Moves a session's idle end forward, never past its absolute end and never back.
 * @returns its new end, Unix seconds
 * @throws ApiError session_expired if it has ended
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
