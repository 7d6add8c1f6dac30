import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { actorFromHeaders, SESSION_COOKIES } from "@/lib/auth/actor";
import { inTurn } from "@/lib/auth/turns";
import { networkOf } from "@/lib/http/network";
import { type CompleteReply, sendReply } from "@/lib/http/reply";
import { clientAddress, cookieValue, localeOf } from "@/lib/http/request-facts";
import { headersOf, type Listener } from "@/lib/http/server/listener";
import { RenderTurns } from "@/lib/http/server/render-turns";
import { smallPage } from "@/lib/http/small-page";
import { isDecodable, resolvedPath } from "@/lib/http/target";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { signInPath } from "@/lib/kernel/navigation/sign-in-paths";
import { type Actor, actorId } from "@/lib/permissions/actor";

const KNOWN_PATHS = new Set<string>([...Object.values(PAGES), "/manifest.webmanifest"]);
/** The pages that are shown without a session. */
const PUBLIC_PATHS = new Set<string>([
  PAGES.signIn,
  PAGES.secondFactor,
  PAGES.providerCallback,
  PAGES.setup,
  PAGES.passwordRecovery,
  PAGES.resetPassword,
  PAGES.httpsGuide,
  PAGES.trust,
  PAGES.apiReference,
  PAGES.docs,
  "/manifest.webmanifest",
]);
/** Paths that Next answers without rendering a page: its files, and redirects of repeated and trailing slashes. */
const WITHOUT_RENDERING = /^\/_next\/static\/|\/\/|\\|.\/$/;
/** The pages by which Next renders its own failures. Opened by their path, they are answered with 500. */
const FAILURE_PAGES = /^\/_(?!next\/)/;
/** The timeout for reading the caller of a page from the database. After it, the page reads the caller itself. */
const CALLER_TIMEOUT_MS = 1_000;
/** The `Retry-After`, in seconds, for a caller with too many waiting requests. */
const RETRY_SECONDS = 5;

function redirectTo(location: string): CompleteReply {
  return { status: 307, headers: new Headers({ Location: location, "Cache-Control": "no-store" }), body: null };
}

/** The caller of a page, found in the caller's turn. */
function findCaller(headers: Headers): Promise<Actor> {
  const { signal } = new AbortController();
  const request = { headers, ip: clientAddress(headers), signal };
  return inTurn(request, async ({ identified }) => {
    const actor = await actorFromHeaders(headers, new Date());
    await identified(actor);
    return actor;
  });
}

/** The caller of a page. Null if the database does not answer in time; the page then reads the caller itself. */
async function callerOf(headers: Headers, timeoutMs: number): Promise<Actor | null> {
  const presentsSession = SESSION_COOKIES.some((name) => cookieValue(headers, name) !== undefined);
  if (!presentsSession) return { kind: "anonymous", expired: false };
  const late = new Promise<null>((resolve) => void setTimeout(resolve, timeoutMs, null).unref());
  return Promise.race([findCaller(headers).catch(() => null), late]);
}

/** Whether a page is shown to callers without a session. */
function isPublic(path: string, url: string): boolean {
  if (PUBLIC_PATHS.has(path) || path.startsWith(`${PAGES.docs}/`)) return true;
  // The tool sends the browser to the end of its sign-in, also after the session has ended.
  return path === PAGES.authorizeTool && new URLSearchParams(url.split("?")[1]).has("result");
}

/** The response to a caller without a session; null if a page has to be rendered. */
function withoutSession(path: string, url: string, headers: Headers): CompleteReply | null {
  if (isPublic(path, url)) return null;
  if (!KNOWN_PATHS.has(path)) return smallPage("notFound", { status: 404, locale: localeOf(headers) });
  // Next's router gets redirects in a form of its own.
  return headers.has("rsc") ? null : redirectTo(signInPath(url));
}

/**
 * Decides about requests for pages before Next renders anything: callers without a session get redirects and the not-found page
 * at once, and everyone has a fair share of the rendering (`RenderTurns`). The API, health checks, metrics, sign-ins and
 * files do not wait for turns.
 * @param options.development whether Next answers paths of its own and reads files when they are requested
 */
export function pageListener({ callerTimeoutMs = CALLER_TIMEOUT_MS, development = false } = {}): Listener {
  const turns = new RenderTurns();
  const answer = async (path: string, request: IncomingMessage, response: ServerResponse, passOn: () => void) => {
    // Pages know the session of the cookie alone. They failed on other credentials, such as those that a proxy with a password passes on.
    delete request.headers.authorization;
    const headers = headersOf(request);
    const actor = await callerOf(headers, callerTimeoutMs);
    const isAnonymous = actor?.kind === "anonymous";
    const reply = isAnonymous ? withoutSession(path, request.url as string, headers) : null;
    if (reply) return sendReply(reply, request, response);
    const isKnown = actor !== null && actor.kind !== "anonymous";
    const caller = isKnown ? actorId(actor) : networkOf(clientAddress(headers));
    const isTaken = turns.take(caller, (end) => {
      if (response.destroyed) return end();
      response.once("prefinish", end).once("close", end);
      passOn();
    });
    if (isTaken) return;
    const busy = smallPage("tooManyPages", { status: 429, locale: localeOf(headers), retryAfter: RETRY_SECONDS });
    return sendReply(busy, request, response);
  };
  return (request, response, passOn) => {
    const path = resolvedPath(request.url as string);
    if (development && !KNOWN_PATHS.has(path)) return false;
    // Next fails on these addresses for every caller.
    if (!isDecodable(path) || FAILURE_PAGES.test(path)) {
      const reply = smallPage("notFound", { status: 404, locale: localeOf(headersOf(request)) });
      void sendReply(reply, request, response);
      return true;
    }
    if (WITHOUT_RENDERING.test(path)) return false;
    answer(path, request, response, passOn).catch(() => response.destroy());
    return true;
  };
}

/** Asks listeners in their order. */
export function inOrder(...listeners: readonly Listener[]): Listener {
  return (request, response, passOn) => listeners.some((listener) => listener(request, response, passOn));
}
