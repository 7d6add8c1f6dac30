import "server-only";
import { toApiError } from "@/lib/api/errors";
import { logFailure } from "@/lib/api/failure-log";
import { writeAudit } from "@/lib/audit/write";
import { countAnonymousRecord } from "@/lib/auth/anonymous-records";
import { anonymousCallerKey } from "@/lib/auth/familiar-devices";
import { PROVIDERS, type SsoConfig, type SsoProvider } from "@/lib/auth/providers";
import { endpointsOf } from "@/lib/auth/sso/endpoints";
import { SignInFailure } from "@/lib/auth/sso/failure";
import { admitIdentity, type SsoIdentity } from "@/lib/auth/sso/identity";
import {
  authorizationRequest,
  expiredSignInCookies,
  type ProviderAnswer,
  SSO_PATH,
  verifiedIdentity,
  wantedRedirect,
} from "@/lib/auth/sso/next-auth";
import { enabledProvider, requireSameIssuer } from "@/lib/auth/sso/sign-in";
import { issueTicket, type Ticket } from "@/lib/auth/sso/ticket";
import { ticketCookie } from "@/lib/auth/sso/ticket-cookie";
import { db } from "@/lib/db/client";
import { readUrlEncoded } from "@/lib/http/body";
import { API_HEADERS } from "@/lib/http/headers";
import { problemReply } from "@/lib/http/problem";
import { consume } from "@/lib/http/rate-limit";
import type { CompleteReply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import { cookieValue, requestFacts } from "@/lib/http/request-facts";
import type { Handler, RouteRequest } from "@/lib/http/routes";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { log } from "@/lib/kernel/log";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { loopbackUrl, safeRedirect } from "@/lib/kernel/navigation/safe-redirect";
import type { SignInFailureReason } from "@/lib/kernel/sign-in-failures";

/** Two for each sign-in; a whole office may come from one address. */
const LIMIT = { points: 120, seconds: 60 };

const ANONYMOUS = { kind: "anonymous", expired: false } as const;

/** A redirect with its cookies. */
interface Redirect {
  location: string;
  cookies?: readonly string[];
}

function redirect303({ location, cookies = [] }: Redirect, requestId: string): CompleteReply {
  const headers = new Headers({
    ...API_HEADERS,
    Location: location,
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
  });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  // 303 See Other, so that the browser follows a POST with a GET.
  return { status: 303, headers, body: null };
}

/** The address to continue at: our page, or the command-line tool that waits for it. */
function outcomeUrl(outcome: { state: string } | { error: SignInFailureReason }, redirectTo: string | null): string {
  const url = new URL(loopbackUrl(redirectTo) ?? `${env.APP_URL}${PAGES.providerCallback}`);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}

/** A failure in the words of the page; what is no fault of the person or the provider is logged. */
function reasonOf(error: unknown, provider: SsoProvider, request: RequestFacts): SignInFailureReason {
  if (error instanceof SignInFailure) {
    if (error.cause) log.warn({ err: error.cause, provider, requestId: request.requestId }, "a provider failed");
    return error.reason;
  }
  const failure = toApiError(error);
  if (failure.code === "rate_limited") return "rate_limited";
  logFailure(failure, { provider, requestId: request.requestId }, "a sign-in failed");
  return "unavailable";
}

async function begin(request: RouteRequest, provider: SsoProvider, facts: RequestFacts): Promise<Redirect> {
  const redirectTo = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
  // A page elsewhere has no business in starting it: with a loopback address it would hand the session to a program.
  if (request.headers.get("sec-fetch-site") === "cross-site") return { location: `${env.APP_URL}/` };
  try {
    await consume({ name: "sso", limit: LIMIT, key: await anonymousCallerKey(facts) });
    const config = await enabledProvider(db, provider);
    const { url, cookies } = await authorizationRequest(config, await endpointsOf(config), redirectTo);
    return { location: url, cookies };
  } catch (error) {
    return { location: outcomeUrl({ error: reasonOf(error, provider, facts) }, redirectTo) };
  }
}

async function providerAnswer(request: RouteRequest): Promise<ProviderAnswer> {
  const method = request.method === "POST" ? "POST" : "GET";
  const given = method === "POST" ? await readUrlEncoded(request) : new URL(request.url).searchParams;
  return {
    method,
    parameters: Object.fromEntries(given),
    cookie: (name) => cookieValue(request.headers, name),
  };
}

/** Finds the user behind an identity and gives their browser a ticket; a refusal is recorded as a failed sign-in. */
async function ticketFor(
  { identity, config }: { identity: SsoIdentity; config: SsoConfig },
  bound: boolean,
  request: RequestFacts,
): Promise<Ticket> {
  const { provider } = identity;
  try {
    return await db.$transaction(async (tx) => {
      await requireSameIssuer(tx, config);
      const { userId, linked } = await admitIdentity(tx, identity);
      const ticket = await issueTicket(tx, userId, bound, request.now);
      if (linked) {
        const changes = { providerSubject: [null, identity.subject] as [null, string] };
        const record = { table: "User", action: "link-provider", recordId: userId, userId, changes };
        await writeAudit(tx, { actor: ANONYMOUS, request, ...record });
      }
      return ticket;
    });
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    await countAnonymousRecord(request);
    const record = { table: "Session", action: "sign-in-failed", recordId: null };
    await db.$transaction((tx) =>
      writeAudit(tx, { actor: ANONYMOUS, request, ...record, changes: { provider: [null, provider] } }),
    );
    throw error;
  }
}

async function finish(request: RouteRequest, provider: SsoProvider, facts: RequestFacts): Promise<Redirect> {
  let redirectTo: string | null = null;
  try {
    await consume({ name: "sso", limit: LIMIT, key: await anonymousCallerKey(facts) });
    const answer = await providerAnswer(request);
    redirectTo = safeRedirect(wantedRedirect(provider, answer));
    const verified = await verifiedIdentity(provider, answer, async () => {
      const config = await enabledProvider(db, provider);
      return { config, endpoints: await endpointsOf(config) };
    });
    const ticket = await ticketFor(verified, loopbackUrl(redirectTo) === null, facts);
    const cookies = expiredSignInCookies(provider);
    if (ticket.binding !== null) cookies.push(ticketCookie(ticket.binding, redirectTo));
    return { location: outcomeUrl({ state: ticket.state }, redirectTo), cookies };
  } catch (error) {
    const reason = reasonOf(error, provider, facts);
    // An answer that this browser did not ask for must not end the sign-in that it is in the middle of.
    const cookies = reason === "interrupted" || reason === "rate_limited" ? [] : expiredSignInCookies(provider);
    return { location: outcomeUrl({ error: reason }, redirectTo), cookies };
  }
}

function isSsoProvider(name: string | undefined): name is SsoProvider {
  return name !== "email" && PROVIDERS.some((provider) => provider === name);
}

/** What is served for a provider, by the part of the path before its name. */
const ACTIONS = {
  signin: { methods: ["GET"], handle: begin },
  callback: { methods: ["GET", "POST"], handle: finish },
};

async function answer(request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const { pathname } = new URL(request.url);
  const [name = "", provider, ...rest] = pathname.slice(SSO_PATH.length + 1).split("/");
  const action = Object.entries(ACTIONS).find(([one]) => one === name)?.[1];
  const refuse = (failure: ApiError, headers?: Record<string, string>) =>
    problemReply(failure, facts.locale, facts.requestId, headers);
  if (!action || !isSsoProvider(provider) || rest.length > 0) return refuse(new ApiError("not_found"));
  if (action.methods.includes(request.method)) {
    return redirect303(await action.handle(request, provider, facts), facts.requestId);
  }
  const failure = new ApiError("method_not_allowed", { params: { path: pathname } });
  return refuse(failure, { Allow: action.methods.join(", ") });
}

/**
 * The part of next-auth that is served: `signin/<provider>` begins a sign-in and `callback/<provider>` takes the
 * provider's answer, in the address or, from Apple, posted. Both lead on to a page; nothing here gives a session.
 */
export const handleSso: Handler = (request) => {
  const facts = requestFacts(request.headers, request.method, request.signal);
  return answer(request, facts);
};
