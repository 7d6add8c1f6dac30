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
