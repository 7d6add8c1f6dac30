import "server-only";
import type { Db } from "@/lib/db/client";
import type { Session } from "@/lib/db/generated/client";

/** A session that has not ended; null otherwise. */
export function findLiveSession(db: Db, id: string, now: Date): Promise<Session | null> {
  return db.session.findFirst({ where: { id, expiresAt: { gt: now }, absoluteExpiresAt: { gt: now } } });
}

/** The e-mail address of a user. */
export async function emailOf(db: Db, userId: string): Promise<string> {
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  return email;
}
