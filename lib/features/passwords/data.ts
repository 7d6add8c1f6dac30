import "server-only";
import type { Db } from "@/lib/db";

/**
 * The id of the user with an e-mail, whatever its case. One statement that costs the same for everybody, so that nobody
 * learns by the time who has an account; whether the user may recover a password is left to the job that sends the link.
 */
export async function userIdByEmail(db: Db, email: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`SELECT "id" FROM "User" WHERE lower("email") = lower(${email})`;
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
