import "server-only";
import { anonymousCallerKey } from "@/lib/auth/familiar-devices";
import type { Db } from "@/lib/db/client";
import { networkOf } from "@/lib/http/network";
import { consume } from "@/lib/http/rate-limit";
import type { RequestFacts } from "@/lib/http/request-facts";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { DAY_MS } from "@/lib/kernel/time";
import { type Actor, type AuthenticatedActor, actorId } from "@/lib/permissions/actor";
import { AUDITED_LIMIT, AUDITED_LIMIT_NAME, callLimitOf, type Operation } from "./operation";

/** Forms with a file that one caller can send at the same time. */
export const MAX_FORMS_AT_ONCE = 16;
/** How long a caller waits who sends too many, in seconds. */
const FORM_RETRY_SECONDS = 5;

const formsUnderWay = processSingleton("forms-under-way", () => new Map<string, number>());

/** Counts a call of a known caller against its operation's limit, before its input is read. @throws ApiError rate_limited */
export async function consumeRateLimit(operation: Operation, actor: Actor): Promise<void> {
  const counted = callLimitOf(operation);
  if (counted?.limit.by === "actor" && actor.kind !== "anonymous") {
    await consume({ name: counted.name, limit: counted.limit, key: actorId(actor) });
  }
}

/**
 * Counts a call against the limit of an operation for anonymous callers, once its input is known to be well-formed.
 * @throws ApiError rate_limited
 */
export async function consumeAnonymousLimit(
  operation: Operation,
  actor: Actor,
  request: RequestFacts,
  input: unknown,
): Promise<void> {
  const counted = callLimitOf(operation);
  // Without a session or token, a call with the common limit is refused at once and leaves no record.
  if (!counted || counted.limit === AUDITED_LIMIT) return;
  const { name, limit } = counted;
  if (limit.by === "actor" && actor.kind !== "anonymous") return;
  const account = limit.account === undefined ? undefined : (input as Record<string, string>)[limit.account];
  await consume({ name, limit, key: await anonymousCallerKey(request, account) });
}

/** Counts a call that leaves an audit record, where only some calls of the operation do. @throws ApiError rate_limited */
export async function consumeAuditedLimit(actor: Actor, request: RequestFacts): Promise<void> {
  const key = actor.kind === "anonymous" ? networkOf(request.ip) : actorId(actor);
  await consume({ name: AUDITED_LIMIT_NAME, limit: AUDITED_LIMIT, key });
}

/** Counts an audit record of a caller, with the commit of its transaction. @throws ApiError rate_limited */
export async function consumeDailyRecord(tx: Db, actor: AuthenticatedActor): Promise<void> {
  const limit = { points: env.MAX_DAILY_CHANGES, seconds: DAY_MS / 1000 };
  await consume({ name: "audited-daily", limit, key: actorId(actor) }, tx);
}

/**
 * Counts a form while its file arrives, for a caller or for the network of one without an account.
 * @returns ends the count
 * @throws ApiError too_many_uploads
 */
export function beginForm(actor: Actor, { ip }: Pick<RequestFacts, "ip">): () => void {
  const key = actor.kind === "anonymous" ? networkOf(ip) : actorId(actor);
  const counts = formsUnderWay.get();
  const count = counts.get(key) ?? 0;
  if (count >= MAX_FORMS_AT_ONCE) {
    const params = { limit: MAX_FORMS_AT_ONCE };
    throw new ApiError("too_many_uploads", { detailKey: "detailAtOnce", params, retryAfter: FORM_RETRY_SECONDS });
  }
  counts.set(key, count + 1);
  return () => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  };
}
