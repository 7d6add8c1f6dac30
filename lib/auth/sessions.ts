import "server-only";
import { hashToken, randomToken } from "@/lib/crypto/tokens";
import type { Db } from "@/lib/db";
import { env } from "@/lib/env";
import type { SessionMethod } from "@/lib/generated/prisma/client";
import { newId } from "@/lib/ids";

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

/** Moves a session's idle end forward, never past its absolute end. @returns its new end, Unix seconds */
export async function slideSession(tx: Db, sessionId: string, now: Date): Promise<number> {
  const { absoluteExpiresAt } = await tx.session.findUniqueOrThrow({ where: { id: sessionId } });
  const idleEnd = now.getTime() + env.SESSION_IDLE_SECONDS * 1000;
  const expiresAt = new Date(Math.min(idleEnd, absoluteExpiresAt.getTime()));
  await tx.session.update({ where: { id: sessionId }, data: { expiresAt } });
  return Math.floor(expiresAt.getTime() / 1000);
}

/** Ends sessions of a user on every instance at once: all of them, or all but one. */
export async function endSessions(tx: Db, userId: string, exceptSessionId?: string): Promise<void> {
  await tx.session.deleteMany({ where: { userId, ...(exceptSessionId && { id: { not: exceptSessionId } }) } });
}

/** Ends one session. */
export async function endSession(tx: Db, sessionId: string): Promise<void> {
  await tx.session.deleteMany({ where: { id: sessionId } });
}
