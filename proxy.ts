import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/kernel/env";
import { PAGE_PATH_HEADER, PAGES } from "@/lib/kernel/navigation/pages";
import { policySource } from "@/lib/kernel/policy-source";

/** Returns the origin of the S3 store, which browsers upload parts to, with a leading space; "" for the disk store. */
function storeOrigins(): string {
  if (env.STORAGE !== "s3") return "";
  const endpoint = env.S3_PUBLIC_ENDPOINT ?? (env.S3_ENDPOINT as string);
  const origin = policySource(endpoint);
  const { protocol, host } = new URL(endpoint);
  return env.S3_FORCE_PATH_STYLE ? ` ${origin}` : ` ${origin} ${protocol}//${env.S3_BUCKET}.${host}`;
}

/** Returns the console's https origin, which the trust page probes from plain HTTP, with a leading space; "" elsewhere. */
function trustedOrigin(path: string): string {
  return path === PAGES.trust && env.LAN_HOSTS.length > 0 ? ` ${policySource(env.APP_URL)}` : "";
}

/** Returns the origin that errors are reported to, with a leading space; "" without error reporting. */
function reportOrigin(): string {
  return env.SENTRY_DSN ? ` ${policySource(env.SENTRY_DSN)}` : "";
}

/** Pages whose URL contains a one-time token. */
const TOKEN_PAGES: readonly string[] = [PAGES.resetPassword, PAGES.setup];

/**
 * Sets a content security policy with a new nonce on every page. It authorizes nothing. /api and /compat/<product>/ are not matched,
 * because Next copies the request bodies of matched paths and truncates them at 10 MB, and neither are /d/<token>, /i/<code> and /t/<secret>, which are no pages of Next's. All other paths are matched, because Next returns the
 * not-found page for unknown ones, except below /_next/static, where it returns plain text.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  // The development server evaluates code and uses a WebSocket.
  const development = env.NODE_ENV === "development";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // Menus and dialogs are positioned with style attributes. Styles cannot run code.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${storeOrigins()}${trustedOrigin(request.nextUrl.pathname)}${reportOrigin()}${development ? " ws:" : ""}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set(PAGE_PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (TOKEN_PAGES.includes(request.nextUrl.pathname)) response.headers.set("referrer-policy", "no-referrer");
  return response;
}

export const config = {
  matcher: [{ source: "/((?!api$|api/(?!docs$)|compat/[^/]+/|d/|i/|t/|_next/static/).*)" }],
};
