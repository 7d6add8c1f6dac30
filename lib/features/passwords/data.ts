import "server-only";
import type { Db } from "@/lib/db/client";

/** What decides whether somebody is still to be invited. */
export function invitee(db: Db, id: string) {
  return db.user.findUnique({ where: { id }, select: { status: true, provider: true, passwordHash: true } });
}
