import "server-only";
import type { IncomingMessage } from "node:http";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { CompleteReply } from "../reply";
import { isEncrypted } from "./tls";

/** What a device needs before it trusts the console's certificate, and the probes of the machine itself. */
const OPEN_PATHS = new RegExp(
  `^(${PAGES.trust}|/api/trust/[a-z-]+|/api/config/get-app-config|/api/files/download-file|/api/health/[a-z]+|/_next/.+|/[a-z-]+\\.(ico|png|svg))$`,
);

/**
 * Redirects a request over plain HTTP to a console that serves HTTPS with a certificate of its own: a page to the page on which
 * a device learns to trust it, and a call of the API to the same call over HTTPS.
 * @param path without the query
 * @param origin the console's https origin
 * @returns null for a request over HTTPS and for what is needed before
 */
export function plainHttpRedirect(request: IncomingMessage, path: string, origin: string): CompleteReply | null {
  if (isEncrypted(request.socket) || OPEN_PATHS.test(path)) return null;
  const [status, location] = path.startsWith("/api/") ? [308, `${origin}${request.url}`] : [302, PAGES.trust];
  return { status, headers: new Headers({ "Cache-Control": "no-store", Location: location }), body: null };
}
