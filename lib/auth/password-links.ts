import "server-only";
import type { Db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { isProviderEnabled } from "./providers";

/** What a link to a new password was sent for. */
export type PasswordLinkPurpose = "recovery" | "invitation";

/** How long such a link works, in minutes. */
export const PASSWORD_LINK_MINUTES: Record<PasswordLinkPurpose, number> = { recovery: 30, invitation: 7 * 24 * 60 };

const PURPOSES = Object.keys(PASSWORD_LINK_MINUTES) as PasswordLinkPurpose[];

/** Who may choose a password: the same who may sign in with one. */
const MAY_HAVE_PASSWORD = { status: "active", provider: "email" } as const;

/** The user with an id, where a password is of use to them; null where they, or e-mail sign-ins as such, are switched off. */
export async function passwordUser(db: Db, userId: string) {
  const user = await db.user.findFirst({ where: { id: userId, ...MAY_HAVE_PASSWORD } });
  return user && (await isProviderEnabled(db, "email")) ? user : null;
}
export type PasswordUser = NonNullable<Awaited<ReturnType<typeof passwordUser>>>;

/**
 * A new link to the page that sets a user's password. Links made before go on working: of two mails that arrive, either
 * may be opened. Made from APP_URL alone, whatever host a request named.
 */
export async function newPasswordLink(
  db: Db,
  link: { purpose: PasswordLinkPurpose; userId: string; now: Date },
): Promise<string> {
  const token = randomToken();
  await db.oneTimeToken.create({
    data: {
      id: newId(),
      purpose: link.purpose,
      subject: link.userId,
      hash: hashToken(token),
      expiresAt: new Date(link.now.getTime() + PASSWORD_LINK_MINUTES[link.purpose] * 60_000),
    },
  });
  return `${env.APP_URL}/reset-password?token=${token}`;
}

/** Whose password a link sets; null where it is unknown, used or too old, or its user may not have a password. */
export async function findPasswordLink(
  db: Db,
  token: string,
  now: Date,
): Promise<{ purpose: PasswordLinkPurpose; user: PasswordUser } | null> {
  const row = await db.oneTimeToken.findFirst({
    where: { hash: hashToken(token), purpose: { in: PURPOSES }, usedAt: null, expiresAt: { gt: now } },
  });
  const user = row && (await passwordUser(db, row.subject));
  return user && { purpose: row.purpose as PasswordLinkPurpose, user };
}

/**
 * Sets the password that a link is for and uses the link up, and with it every other link of that user. Of several who
 * try with one link at the same moment, one succeeds.
 *
 * @returns whether the user had no password before; null where the link is no good
 */
export async function spendPasswordLink(
  tx: Db,
  change: { token: string; userId: string; passwordHash: string; now: Date },
): Promise<{ first: boolean } | null> {
  const { token, userId, passwordHash, now } = change;
  // The user's row first: whoever comes with another link of the same user waits here, and cannot deadlock below.
  await lockRow(tx, "User", userId);
  const first = (await tx.user.count({ where: { id: userId, passwordHash: null } })) === 1;
  const changed = await tx.user.updateMany({ where: { id: userId, ...MAY_HAVE_PASSWORD }, data: { passwordHash } });
  const open = { purpose: { in: PURPOSES }, subject: userId, usedAt: null };
  const spent = await tx.oneTimeToken.updateMany({
    where: { ...open, hash: hashToken(token), expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  await tx.oneTimeToken.updateMany({ where: open, data: { usedAt: now } });
  return changed.count === 1 && spent.count === 1 ? { first } : null;
}
