import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/kernel/env";

/** Read by lib/api/call.ts, to come back to this page after the sign-in. */
const PATH_HEADER = "x-slipway-path";

/** Where pages may send parts of an upload directly, beside this server: the store, where there is one that they reach. */
function storeOrigins(): string {
  if (env.STORAGE !== "s3") return "";
  const { protocol, host, origin } = new URL(env.S3_PUBLIC_ENDPOINT ?? (env.S3_ENDPOINT as string));
  return env.S3_FORCE_PATH_STYLE ? ` ${origin}` : ` ${origin} ${protocol}//${env.S3_BUCKET}.${host}`;
}

/** Pages whose address holds a one-time token. */
const TOKEN_PAGES = ["/reset-password", "/setup"];

/**
 * Gives every page a content security policy with a nonce of its own. Nothing is authorised here, and /api is not
 * matched: Next copies the body of what it matches, at most 10 MB of it, and cuts the rest. All other paths are matched,
 * because Next answers unknown ones with the not-found page; below /_next/static, it answers them with plain text.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  // The development server evaluates code and speaks over a web socket.
  const development = env.NODE_ENV === "development";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // Style attributes are how positions of menus and dialogs are set; a style cannot run anything.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${storeOrigins()}${development ? " ws:" : ""}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (TOKEN_PAGES.includes(request.nextUrl.pathname)) response.headers.set("referrer-policy", "no-referrer");
  return response;
}

export const config = {
  matcher: [{ source: "/((?!api$|api/(?!docs$)|_next/static/).*)" }],
};
