import "server-only";
import type { Db } from "@/lib/db/client";

/** The facts that decide whether a user can be invited. */
export function invitee(db: Db, id: string) {
  return db.user.findUnique({ where: { id }, select: { status: true, provider: true, passwordHash: true } });
}

/**
 * Replaces a password, if it is still the one that was verified.
 * @returns whether it was
 */
export async function replacePassword(
  tx: Db,
  userId: string,
  { verifiedHash, passwordHash }: { verifiedHash: string; passwordHash: string },
): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, passwordHash: verifiedHash, provider: "email", status: "active" },
    data: { passwordHash },
  });
  return count === 1;
}
