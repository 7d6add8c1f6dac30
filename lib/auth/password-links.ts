import "server-only";
import type { Db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { env } from "@/lib/kernel/env";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { issueToken, peekToken, redeemToken, revokeTokens, TOKEN_LIFETIME_SECONDS } from "./one-time-tokens";
import { isProviderEnabled } from "./providers";

/** What a link to a new password was sent for. */
const PURPOSES = ["recovery", "invitation"] as const;
export type PasswordLinkPurpose = (typeof PURPOSES)[number];

/** Whether a link to a new password is sent for a purpose. */
export function isPasswordLinkPurpose(purpose: string): purpose is PasswordLinkPurpose {
  return PURPOSES.some((known) => known === purpose);
}

/** How long such a link works, in minutes. */
export function passwordLinkMinutes(purpose: PasswordLinkPurpose): number {
  return TOKEN_LIFETIME_SECONDS[purpose] / 60;
}

/** The users who may choose a password, as a condition: those who may sign in with one. */
const MAY_HAVE_PASSWORD = { status: "active", provider: "email" } as const;

/** The user with an id, if they may use a password; null if they or all sign-ins by e-mail are switched off. */
export async function passwordUser(db: Db, userId: string) {
  const user = await db.user.findFirst({ where: { id: userId, ...MAY_HAVE_PASSWORD } });
  return user && (await isProviderEnabled(db, "email")) ? user : null;
}
type PasswordUser = NonNullable<Awaited<ReturnType<typeof passwordUser>>>;

/**
 * A new link to the page that sets a user's password. Earlier links stay valid: of two mails that arrive, either may be
 * opened. The host is that of APP_URL, not one that a request named.
 */
export async function newPasswordLink(
  db: Db,
  link: { purpose: PasswordLinkPurpose; userId: string; now: Date },
): Promise<string> {
  const { token } = await issueToken(db, { purpose: link.purpose, subject: link.userId, now: link.now });
  return `${env.APP_URL}${PAGES.resetPassword}?token=${token}`;
}

/**
 * A new link of an invitation for an administrator to pass on.
 *
 * @returns null if a mail server sends the link, or if the user may not have a password
 */
export async function invitationLinkToPassOn(db: Db, userId: string, now: Date): Promise<string | null> {
  if (env.SMTP_URL !== undefined || (await passwordUser(db, userId)) === null) return null;
  return newPasswordLink(db, { purpose: "invitation", userId, now });
}

/** Whose password a link sets; null if it is unknown, used or expired, or its user may not have a password. */
export async function findPasswordLink(
  db: Db,
  token: string,
  now: Date,
): Promise<{ purpose: PasswordLinkPurpose; user: PasswordUser } | null> {
  const link = await peekToken(db, { purpose: PURPOSES, token, now });
  const user = link?.state === "valid" ? await passwordUser(db, link.subject) : null;
  return link && user && { purpose: link.purpose, user };
}

/**
 * Sets the password that a link is for. The link is used, and every other link of that user is revoked. Of several
 * callers with one link at the same moment, one succeeds.
 *
 * @returns whether the user had no password before; null if the link is not valid
 */
export async function redeemPasswordLink(
  tx: Db,
  change: { token: string; userId: string; passwordHash: string; now: Date },
): Promise<{ first: boolean } | null> {
  const { token, userId, passwordHash, now } = change;
  // Locked first, so that a call with another link of the same user waits here instead of causing a deadlock below.
  await lockRow(tx, "User", userId);
  const first = (await tx.user.count({ where: { id: userId, passwordHash: null } })) === 1;
  const changed = await tx.user.updateMany({ where: { id: userId, ...MAY_HAVE_PASSWORD }, data: { passwordHash } });
  const redeemed = await redeemToken(tx, { purpose: PURPOSES, subject: userId, token, now });
  await revokePasswordLinks(tx, userId);
  return changed.count === 1 && redeemed ? { first } : null;
}

/** Makes every link to a new password of a user invalid. */
export function revokePasswordLinks(tx: Db, userId: string): Promise<void> {
  return revokeTokens(tx, { purpose: PURPOSES, subject: userId });
}
