import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { actorFromHeaders } from "@/lib/auth/actor";
import { answerPageWith } from "@/lib/http/page-status";
import { requestFacts } from "@/lib/http/request-facts";
import { env } from "@/lib/kernel/env";
import type { ApiError } from "@/lib/kernel/errors";
import { redirectForError, secondFactorPath, signInPath } from "@/lib/kernel/navigation/sign-in-paths";
import type { Actor } from "@/lib/permissions/actor";
import { isSecondFactorPending } from "@/lib/permissions/authorize";
import { execute, toApiError } from "./execute";
import type { InputOf, OutputOf, Query } from "./operation";

/** The path of the page being rendered, with its query; set by proxy.ts. */
export const PATH_HEADER = "x-slipway-path";

/** A failure as the page that is being rendered throws it, the page's status with it. */
async function pageFailure(error: unknown): Promise<ApiError> {
  const failure = toApiError(error);
  if (failure.status > 500 || failure.code === "rate_limited") answerPageWith(await headers(), failure);
  return failure;
}

/**
 * Who looks at the page; found out once per request.
 * @throws ApiError
 */
export const currentActor = cache(async (): Promise<Actor> => {
  try {
    return await actorFromHeaders(await headers(), new Date());
  } catch (error) {
    throw await pageFailure(error);
  }
});

/** The page being rendered, with its query. */
async function thisPage(): Promise<string | null> {
  return (await headers()).get(PATH_HEADER);
}

/**
 * Runs a query for the page being rendered, as the person who looks at it: the same checks as over HTTP, without HTTP.
 * Without a session it leads to the sign-in, without the second factor to that, without the right home, and to what is
 * not there to the not-found page. An audited query is none of these: a page may be rendered before somebody opens it.
 * @throws ApiError for every other failure; the route's error page tells it
 */
// biome-ignore lint/suspicious/noExplicitAny: any query will do
export async function call<Q extends Query<any, any, any, any>>(operation: Q, input: InputOf<Q>): Promise<OutputOf<Q>> {
  const facts = requestFacts(await headers(), "GET", new AbortController().signal);
  try {
    const outcome = await execute(operation, {
      actor: currentActor,
      input: async () => input,
      carriesFile: false,
      request: facts,
    });
    return outcome.output as OutputOf<Q>;
  } catch (error) {
    const failure = await pageFailure(error);
    const elsewhere = redirectForError(failure.code, await thisPage());
    if (elsewhere) redirect(elsewhere);
    if (failure.code === "not_found" || failure.code === "validation_failed") notFound();
    throw failure;
  }
}

/** How long a session lasts that nobody uses; seconds. */
export function sessionIdleSeconds(): number {
  return env.SESSION_IDLE_SECONDS;
}

/** The signed-in person behind a page; everyone else is led to the step of the sign-in that they have still to take. */
export async function requireUser(): Promise<Extract<Actor, { kind: "user" }>> {
  const actor = await currentActor();
  if (actor.kind !== "user") redirect(signInPath(await thisPage()));
  if (isSecondFactorPending(actor)) redirect(secondFactorPath(await thisPage()));
  return actor;
}

/** The administrator behind a page; a signed-in person who is none is led home. */
export async function requireAdmin(): Promise<Extract<Actor, { kind: "user" }>> {
  const user = await requireUser();
  if (!user.isAdmin) redirect("/home");
  return user;
}
