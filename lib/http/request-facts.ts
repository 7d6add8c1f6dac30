import "server-only";
import { type BlockList, isIP } from "node:net";
import { env } from "@/lib/kernel/env";
import { DEFAULT_LOCALE, LOCALE_COOKIE, type Locale } from "@/lib/kernel/i18n/locales";
import { negotiateLocale } from "@/lib/kernel/i18n/negotiate";
import { log } from "@/lib/kernel/log";
import { requestId } from "./exchange";
import { blockList, isInList } from "./network";

/** The caller's address. The HTTP server sets it from the socket, over what a client sent under this name. */
export const REMOTE_ADDRESS_HEADER = "x-slipway-remote-address";

/** What is known of the request itself. */
export interface RequestFacts {
  requestId: string;
  locale: Locale;
  /** The caller's address, from the socket or from a trusted proxy. */
  ip: string | null;
  userAgent: string | null;
  now: Date;
  /** The request's headers, for conditional and ranged downloads. */
  headers: Headers;
  method: string;
  /** Ends when the caller goes away. */
  signal: AbortSignal;
}

let trusted: BlockList | undefined;

function isTrusted(address: string): boolean {
  trusted ??= blockList(env.TRUSTED_PROXIES);
  return isInList(trusted, address);
}

/** An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as its IPv4 address; any other address unchanged. */
function plainAddress(address: string): string {
  return /^::ffff:/i.test(address) && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/**
 * The address of an entry of X-Forwarded-For. Azure's Application Gateway and IIS add the client's port, and others put IPv6 into
 * brackets or quotes, as RFC 7239 has it.
 * @returns null if it is none, such as `unknown`
 */
function forwardedAddress(entry: string): string | null {
  const bare = entry.trim().replace(/^"(.*)"$/, "$1");
  const [, ipv6, ipv4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(bare) ?? [];
  // The zone of an address counts on the proxy's machine only.
  const address = plainAddress((ipv6 ?? ipv4 ?? bare).replace(/%.*$/, ""));
  return isIP(address) === 0 ? null : address;
}

let warnedOfEntry = false;

/** Says once that a proxy's entry is no address: all of its visitors then count as one. */
function warnOfEntry(proxy: string, entry: string): void {
  if (warnedOfEntry) return;
  warnedOfEntry = true;
  log.warn(
    { proxy, entry: entry.trim().slice(0, 100) },
    "a trusted proxy sends X-Forwarded-For without an address: its visitors share the proxy's own in limits and records",
  );
}

/**
 * The caller's address: the socket's, or, behind configured proxies, the last X-Forwarded-For entry that none of
 * them is. Entries further left are the client's own claim and are never looked at.
 */
export function clientAddress(headers: Headers): string | null {
  const socket = headers.get(REMOTE_ADDRESS_HEADER);
  if (!socket) return null;
  let address = plainAddress(socket);
  const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
  while (forwarded.length > 0 && isTrusted(address)) {
    const entry = forwarded.pop() as string;
    const next = forwardedAddress(entry);
    if (next === null) {
      warnOfEntry(address, entry);
      break;
    }
    address = next;
  }
  return address;
}

/** A cookie's value from a request's headers. */
export function cookieValue(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) {
      try {
        return decodeURIComponent(pair.slice(equals + 1).trim());
      } catch {
        return undefined;
      }
    }
  }
  return undefined;
}

/** Whether a command comes from a page: browsers send one of these headers with each, and no page can leave it out. */
export function isFromPage(headers: Headers): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/**
 * The language of a caller whose request names no language of the console. Callers with a token, and programs, get
 * English, the language of logs; `fetch` of Node.js sends `*`, which names no language. Browsers, which send a
 * `User-Agent` that begins with `Mozilla/` or name another language, get the default language.
 */
function fallbackLocale(headers: Headers): Locale {
  const namesLanguage = !(headers.get("accept-language") ?? "*").startsWith("*");
  const isBrowser = namesLanguage || headers.get("user-agent")?.startsWith("Mozilla/");
  return headers.has("authorization") || !isBrowser ? "en" : DEFAULT_LOCALE;
}

/** The language that a caller is answered in. */
export function localeOf(headers: Headers): Locale {
  const cookie = cookieValue(headers, LOCALE_COOKIE);
  return negotiateLocale(cookie, headers.get("accept-language"), fallbackLocale(headers));
}

/**
 * The facts of a request for a page that is sent to people whom the console does not know. Its language is English if their browser asks
 * for none of the console's, and not the default language of the console.
 */
export function visitorFacts({
  headers,
  method,
  signal,
}: {
  headers: Headers;
  method: string;
  signal: AbortSignal;
}): RequestFacts {
  const locale = negotiateLocale(cookieValue(headers, LOCALE_COOKIE), headers.get("accept-language"), "en");
  return { ...requestFacts(headers, method, signal), locale };
}

/** The facts of one request. */
export function requestFacts(headers: Headers, method: string, signal: AbortSignal): RequestFacts {
  return {
    requestId: requestId(),
    locale: localeOf(headers),
    ip: clientAddress(headers),
    userAgent: headers.get("user-agent")?.slice(0, 400) ?? null,
    now: new Date(),
    headers,
    method,
    signal,
  };
}
