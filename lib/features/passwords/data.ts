import "server-only";
import type { Db } from "@/lib/db";

/**
 * The id of the user who may recover a password by an e-mail, whatever its case. One statement that costs the same for
 * everybody, so that nobody learns by the time who has an account.
 */
export async function recoverableUserId(db: Db, email: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE lower("email") = lower(${email}) AND "status" = 'active' AND "provider" = 'email'`;
  return rows[0]?.id ?? null;
}

/** What decides whether somebody is still to be invited. */
export function invitee(db: Db, id: string) {
  return db.user.findUnique({ where: { id }, select: { status: true, provider: true, passwordHash: true } });
}

/** The console's name, which no password may be made of. */
export async function consoleName(db: Db): Promise<string> {
  return (await db.appConfig.findUniqueOrThrow({ where: { id: 1 } })).name;
}
