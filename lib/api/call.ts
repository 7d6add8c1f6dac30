import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { actorFromHeaders } from "@/lib/auth/actor";
import type { Actor } from "@/lib/auth/actor-types";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { execute } from "./execute";
import type { InputOf, OutputOf, Query } from "./operation";
import { requestFacts } from "./request-facts";

/** The path of the page being rendered, with its query; set by proxy.ts. */
export const PATH_HEADER = "x-slipway-path";

/** Who looks at the page; found out once per request. */
export const currentActor = cache(async (): Promise<Actor> => actorFromHeaders(await headers(), new Date()));

/** Sends a visitor without a session to sign in, and back here afterwards. */
async function toSignIn(): Promise<never> {
  const path = (await headers()).get(PATH_HEADER);
  redirect(path && path !== "/" ? `/?next=${encodeURIComponent(path)}` : "/");
}

/**
 * Runs a query for the page being rendered, as the person who looks at it: the same checks as over HTTP, without HTTP.
 * Without a session it leads to the sign-in; without the right, home; to what is not there, to the not-found page.
 * @throws ApiError for every other failure; the route's error page tells it
 */
// biome-ignore lint/suspicious/noExplicitAny: any query will do
export async function call<Q extends Query<any, any, any>>(operation: Q, input: InputOf<Q>): Promise<OutputOf<Q>> {
  const facts = requestFacts(await headers(), "GET", new AbortController().signal);
  try {
    const outcome = await execute(operation, { actor: currentActor, input: async () => input, request: facts });
    return outcome.output as OutputOf<Q>;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "not_authenticated" || error.code === "session_expired") return toSignIn();
    if (error.code === "forbidden") redirect("/home");
    if (error.code === "not_found" || error.code === "validation_failed") notFound();
    throw error;
  }
}

/** How long a session lasts that nobody uses; seconds. */
export function sessionIdleSeconds(): number {
  return env.SESSION_IDLE_SECONDS;
}

/** The signed-in person behind a page; everyone else is led to the sign-in. */
export async function requireUser(): Promise<Extract<Actor, { kind: "user" }>> {
  const actor = await currentActor();
  return actor.kind === "user" ? actor : toSignIn();
}

/** The administrator behind a page; a signed-in person who is none is led home. */
export async function requireAdmin(): Promise<Extract<Actor, { kind: "user" }>> {
  const user = await requireUser();
  if (!user.isAdmin) redirect("/home");
  return user;
}
