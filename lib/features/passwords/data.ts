import "server-only";
import type { Db } from "@/lib/db/client";

/** The facts that decide whether a user can be invited. */
export function invitee(db: Db, id: string) {
  return db.user.findUnique({ where: { id }, select: { status: true, provider: true, passwordHash: true } });
}
