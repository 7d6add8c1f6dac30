import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { actorFromHeaders } from "@/lib/auth/actor";
import { answerPageWith } from "@/lib/http/page-status";
import { requestFacts } from "@/lib/http/request-facts";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { ADMIN_NOTICE, PAGE_PATH_HEADER, PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { redirectForError, secondFactorPath, signInPath } from "@/lib/kernel/navigation/sign-in-paths";
import { inSpan } from "@/lib/kernel/tracing";
import type { Actor } from "@/lib/permissions/actor";
import { isSecondFactorPending } from "@/lib/permissions/authorize";
import { toApiError } from "./errors";
import { execute } from "./execute";
import { type InputOf, type OutputOf, operationId, type Query } from "./operation";

/** How Node prints an object. */
const PRINTED = Symbol.for("nodejs.util.inspect.custom");

/** A failure as the page that is being rendered throws it, the page's status with it. */
async function pageFailure(error: unknown): Promise<ApiError> {
  const failure = toApiError(error);
  // Next prints what a page throws. The log has the reason of an expected failure already.
  if (failure.code !== "unexpected") Object.defineProperty(failure, PRINTED, { value: () => String(failure) });
  if (failure.status > 500 || failure.code === "rate_limited") answerPageWith(await headers(), failure);
  return failure;
}

/** Answers the page that is being rendered with 404, if it is a document that has not begun to be sent. */
export async function answerNotFound(): Promise<void> {
  answerPageWith(await headers(), new ApiError("not_found"));
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

/** The path of the page being rendered, with its query. */
export async function thisPage(): Promise<string | null> {
  return (await headers()).get(PAGE_PATH_HEADER);
}

/** The path and the query of the document that is being rendered; null for a request of Next's router for a part of a page. */
export async function documentQuery(): Promise<{ path: string; query: Partial<Record<string, string>> } | null> {
  const page = await thisPage();
  if (page === null || (await headers()).has("rsc")) return null;
  const { pathname, searchParams } = new URL(page, "http://localhost");
  return { path: pathname, query: Object.fromEntries(searchParams) };
}

// biome-ignore lint/suspicious/noExplicitAny: any query will do
type AnyQuery = Query<any, any, any, any>;

/** Runs a query once per rendered page and input. React compares the arguments by identity, so the input is JSON. */
const runOnce = cache(async (operation: AnyQuery, inputJson: string): Promise<unknown> => {
  const facts = requestFacts(await headers(), "GET", new AbortController().signal);
  try {
    const outcome = await inSpan(operationId(operation), { kind: "internal" }, () =>
      execute(operation, {
        actor: currentActor,
        input: async () => JSON.parse(inputJson) as unknown,
        carriesFile: false,
        request: facts,
      }),
    );
    return outcome.output;
  } catch (error) {
    const failure = await pageFailure(error);
    const elsewhere = redirectForError(failure.code, await thisPage());
    if (elsewhere) redirect(elsewhere);
    if (failure.code === "not_found" || failure.code === "validation_failed") {
      await answerNotFound();
      notFound();
    }
    throw failure;
  }
});

/**
 * Runs a query for the page being rendered, as the person who looks at it: the same checks as over HTTP, without HTTP.
 * Without a session it leads to the sign-in, without the second factor to that, without the right home, and to what is
 * not there to the not-found page. An audited query is none of these: a page may be rendered before somebody opens it.
 * Calls of the same query with the same input while one page is rendered share one execution.
 * @throws ApiError for every other failure; the route's error page tells it
 */
export async function call<Q extends AnyQuery>(operation: Q, input: InputOf<Q>): Promise<OutputOf<Q>> {
  return (await runOnce(operation, JSON.stringify(input))) as OutputOf<Q>;
}

/**
 * A parameter that a page cannot do without.
 *
 * @param fallback the path to redirect to if the page's query does not have it
 */
export function requireParameter(query: SearchParams, name: string, fallback: string): string {
  const value = query[name];
  if (typeof value !== "string" || value === "") redirect(fallback);
  return value;
}

/** How long a session lasts that nobody uses; seconds. */
export function sessionIdleSeconds(): number {
  return env.SESSION_IDLE_SECONDS;
}

/** The signed-in person behind a page that is for everybody; null before the sign-in is complete. */
export async function findUser(): Promise<Extract<Actor, { kind: "user" }> | null> {
  const actor = await currentActor();
  return actor.kind === "user" && !isSecondFactorPending(actor) ? actor : null;
}

/** The signed-in person behind a page; everyone else is led to the step of the sign-in that they have still to take. */
export async function requireUser(): Promise<Extract<Actor, { kind: "user" }>> {
  const actor = await currentActor();
  if (actor.kind !== "user") redirect(signInPath(await thisPage()));
  if (isSecondFactorPending(actor)) redirect(secondFactorPath(await thisPage()));
  return actor;
}

/** The administrator behind a page; a signed-in person who is none is led home, where a notice says why. */
export async function requireAdmin(): Promise<Extract<Actor, { kind: "user" }>> {
  const user = await requireUser();
  if (!user.isAdmin) redirect(pagePath(PAGES.home, { notice: ADMIN_NOTICE }));
  return user;
}
