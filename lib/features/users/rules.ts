import { userAgentFromString } from "next/server";
import type { UserSession } from "./schema";

/** A product's name at the beginning of a User-Agent (RFC 9110, 10.1.5), short enough to be shown. */
const FIRST_PRODUCT = /^[\w.-]{1,40}(?=\/|$)/;

/** Which program a session belongs to and on which system, in the words that people know them by. */
export function clientOf(userAgent: string | null): UserSession["client"] {
  if (userAgent === null) return { program: null, system: null };
  const { browser, os } = userAgentFromString(userAgent);
  return { program: browser.name ?? FIRST_PRODUCT.exec(userAgent)?.[0] ?? null, system: os.name ?? null };
}
