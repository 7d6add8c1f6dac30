import "server-only";
import { createHash, createHmac, type KeyObject } from "node:crypto";
import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type AuthOptions, type CookiesOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import type { SsoConfig, SsoProvider } from "@/lib/auth/providers";
import { cookieName } from "@/lib/http/cookies";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { randomToken } from "@/lib/kernel/crypto/tokens";
import { env, setNextAuthUrl } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import type { Endpoints } from "./endpoints";
import { SignInFailure } from "./failure";
import type { SsoIdentity } from "./identity";
import { oauthConfig } from "./oauth-config";

/** Where next-auth is mounted. */
export const SSO_PATH = "/api/sso";

/** How long a sign-in at the provider may take. */
const CHECK_SECONDS = 900;

/** The cookies that verify the provider's response. */
const CHECKS = ["state", "nonce", "pkceCodeVerifier"] as const;
/** All cookies of a sign-in. */
const SIGN_IN_COOKIES = [...CHECKS, "callbackUrl"] as const;

/**
 * next-auth's cookies for a sign-in. Apple posts its response from its own site, so its cookies must be SameSite=None,
 * which browsers accept only for secure cookies (also on http://localhost).
 */
function cookiesFor(provider: SsoProvider): CookiesOptions {
  const https = env.APP_URL.startsWith("https://");
  const crossSite = provider === "apple";
  const options = {
    httpOnly: true,
    sameSite: crossSite ? "none" : "lax",
    path: "/",
    secure: https || crossSite,
    maxAge: CHECK_SECONDS,
  };
  const cookie = (name: string) => ({ name: cookieName(`slipway-sso-${provider}-${name}`), options });
  return {
    state: cookie("state"),
    nonce: cookie("nonce"),
    pkceCodeVerifier: cookie("pkce"),
    callbackUrl: cookie("redirect"),
    csrfToken: cookie("csrf"),
    sessionToken: cookie("unused"),
  };
}

function secretOf(masterKey: KeyObject): string {
  return createHmac("sha256", masterKey).update("sso check cookies").digest("hex");
}

/** Values of these cookies in next-auth's error messages. */
const CHECK_VALUES = /\b(state|nonce) mismatch.*/;

function logFailure(code: string, metadata: unknown): void {
  const { error, providerId } = metadata as { error?: Error; providerId?: string };
  const { message } = error ?? (metadata as Error);
  const reason = String(message).replace(CHECK_VALUES, "$1 mismatch").replace(/\s+/g, " ");
  log.warn({ code, provider: providerId, reason }, "next-auth");
}

interface Answer {
  location: string | null;
  cookies: string[];
}

interface Input {
  /** Of the cookies that verify the provider's response. */
  secret: string;
  action: "signin" | "callback";
  method: "GET" | "POST";
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies: Record<string, string>;
}

/**
 * Runs next-auth on one request. It receives neither the headers nor the other cookies of the request, and only its
 * redirect and cookies are used. It creates no session, because the callback `signIn` redirects.
 */
async function run(
  config: SsoConfig,
  endpoints: Endpoints,
  input: Input,
  found: (identity: SsoIdentity) => void,
): Promise<Answer> {
  const options: AuthOptions = {
    providers: [await oauthConfig(config, endpoints, found)],
    secret: input.secret,
    cookies: cookiesFor(config.provider),
    useSecureCookies: env.APP_URL.startsWith("https://"),
    logger: { error: logFailure, warn: () => {}, debug: () => {} },
    callbacks: {
      signIn: () => env.APP_URL,
      // The address is checked before this call.
      redirect: ({ url }) => url,
    },
  };
  setNextAuthUrl(`${env.APP_URL}${SSO_PATH}`);
  const answer: Answer = { location: null, cookies: [] };
  const response = {
    status: () => response,
    getHeader: (name: string) => (name === "Set-Cookie" ? answer.cookies : undefined),
    setHeader(name: string, value: string | string[]) {
      if (name === "Set-Cookie") answer.cookies = [value].flat();
      if (name === "Location") answer.location = String(value);
    },
    end() {},
    send() {},
    json() {},
  };
  const request = {
    method: input.method,
    headers: {},
    cookies: input.cookies,
    query: { ...input.query, nextauth: [input.action, config.provider] },
    body: input.body,
  };
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, options);
  return answer;
}

/**
 * Begins a sign-in.
 * @param redirectTo the page to open afterwards, already checked; null for the start page
 * @returns the provider's address for the browser, and the cookies that verify its response
 * @throws SignInFailure provider_failed
 */
export async function authorizationRequest(
  config: SsoConfig,
  endpoints: Endpoints,
  redirectTo: string | null,
): Promise<{ url: string; cookies: string[] }> {
  const { csrfToken, ...kept } = cookiesFor(config.provider);
  // next-auth's CSRF token protects its own sign-in page, which is not served. It gets one that is made here.
  const token = randomToken();
  const secret = secretOf(masterKeys().current.key);
  const hash = createHash("sha256").update(`${token}${secret}`).digest("hex");
  const { location, cookies } = await run(
    config,
    endpoints,
    {
      secret,
      action: "signin",
      method: "POST",
      cookies: { [csrfToken.name]: `${token}|${hash}` },
      body: { csrfToken: token, ...(redirectTo !== null && { callbackUrl: redirectTo }) },
    },
    () => {},
  );
  if (!location?.startsWith(endpoints.authorization)) throw new SignInFailure("provider_failed");
  const names = SIGN_IN_COOKIES.map((check) => `${kept[check].name}=`);
  return { url: location, cookies: cookies.filter((cookie) => names.some((name) => cookie.startsWith(name))) };
}

/** The response of a provider, as the browser brings it. */
export interface ProviderAnswer {
  method: "GET" | "POST";
  parameters: Record<string, string>;
  /** The value of a cookie. */
  cookie(name: string): string | undefined;
}

/** Set-Cookie values that remove the cookies of a finished sign-in from the browser. */
export function expiredSignInCookies(provider: SsoProvider): string[] {
  const cookies = cookiesFor(provider);
  return SIGN_IN_COOKIES.map((check) => {
    const { name, options } = cookies[check];
    const site = options.sameSite === "none" ? "None" : "Lax";
    return `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=${site}${options.secure ? "; Secure" : ""}`;
  });
}

/** The page to open after the sign-in, as the browser requested it. It must be checked again. */
export function wantedRedirect(provider: SsoProvider, answer: ProviderAnswer): string | undefined {
  return answer.cookie(cookiesFor(provider).callbackUrl.name);
}

/**
 * The secret with which this browser's sign-in began that a provider responds to; null if it began none. Another instance may
 * have begun it with a master key that is not the first one here.
 */
async function secretOfSignIn(provider: SsoProvider, answer: ProviderAnswer): Promise<string | null> {
  const { name } = cookiesFor(provider).state;
  const token = answer.cookie(name);
  const { state } = answer.parameters;
  if (!token || !state) return null;
  for (const masterKey of masterKeys().all.values()) {
    const secret = secretOf(masterKey);
    const kept = await decode({ token, secret, salt: name }).catch(() => null);
    if (kept?.value === state && kept.provider === provider) return secret;
  }
  return null;
}

/** The error codes of RFC 6749 and of Apple for a sign-in that the user cancelled. */
const CANCELLATION_CODES = new Set(["access_denied", "user_cancelled_authorize", "user_cancelled_login"]);

/**
 * Finishes a sign-in: next-auth verifies the provider's response, exchanges its code and verifies the identity.
 * @param provider of the address that was called
 * @param resolve finds the provider's configuration and addresses, which may send a request to it; called only if this
 *   browser began the sign-in
 * @returns the identity, and the configuration with which it was verified
 * @throws SignInFailure interrupted, cancelled, provider_failed, and what `resolve` throws
 */
export async function verifiedIdentity(
  provider: SsoProvider,
  answer: ProviderAnswer,
  resolve: () => Promise<{ config: SsoConfig; endpoints: Endpoints }>,
): Promise<{ identity: SsoIdentity; config: SsoConfig }> {
  const secret = await secretOfSignIn(provider, answer);
  if (secret === null) throw new SignInFailure("interrupted");
  const { config, endpoints } = await resolve();
  const { error } = answer.parameters;
  if (error !== undefined) {
    log.warn({ provider, reason: error.slice(0, 100) }, "a provider refused a sign-in");
    throw new SignInFailure(CANCELLATION_CODES.has(error) ? "cancelled" : "provider_failed");
  }
  const options = cookiesFor(provider);
  const cookies: Record<string, string> = {};
  for (const { name } of CHECKS.map((check) => options[check])) {
    const value = answer.cookie(name);
    if (value !== undefined) cookies[name] = value;
  }
  const { method, parameters } = answer;
  let identity: SsoIdentity | null = null;
  await run(
    config,
    endpoints,
    {
      secret,
      action: "callback",
      method,
      cookies,
      ...(method === "POST" ? { body: parameters } : { query: parameters }),
    },
    (found) => {
      identity = found;
    },
  );
  if (identity === null) throw new SignInFailure("provider_failed");
  return { identity, config };
}
