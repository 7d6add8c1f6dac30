import { userAgentFromString } from "next/server";
import type { UserSession } from "./schema";

/** The product name at the start of a User-Agent (RFC 9110, 10.1.5), if it is short enough to be shown. */
const FIRST_PRODUCT = /^[\w.-]{1,40}(?=\/|$)/;

/** The browser or program of a session and its operating system, by their common names. */
export function clientOf(userAgent: string | null): UserSession["client"] {
  if (userAgent === null) return { program: null, system: null };
  const { browser, os } = userAgentFromString(userAgent);
  return { program: browser.name ?? FIRST_PRODUCT.exec(userAgent)?.[0] ?? null, system: os.name ?? null };
}

/**
 * The names that a person gets until they or an administrator enter others: the words before the `@`, without what
 * follows a `+`. `ada.lovelace@example.com` is Ada Lovelace; the last names may be empty.
 */
export function namesFromEmail(email: string): { firstNames: string; lastNames: string } {
  const local = email.slice(0, email.lastIndexOf("@"));
  const words = (local.split("+")[0] || local).split(/[._-]+/).filter(Boolean);
  const [first = local, ...rest] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { firstNames: first.slice(0, 100), lastNames: rest.join(" ").slice(0, 100) };
}
