import "server-only";
import { networkOf } from "@/lib/http/network";
import { consume, rateLimiter } from "@/lib/http/rate-limit";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { Actor } from "@/lib/permissions/actor";
import type { Operation } from "./operation";

/** Counts a call against its operation's limit. */
export async function consumeRateLimit(operation: Operation, actor: Actor, request: RequestFacts): Promise<void> {
  const limit = operation.rateLimit;
  if (!limit) return;
  const key = limit.by === "actor" && actor.kind !== "anonymous" ? actorKey(actor) : networkOf(request.ip);
  await consume(rateLimiter(operation.name, limit), key);
}

function actorKey(actor: Exclude<Actor, { kind: "anonymous" }>): string {
  return actor.kind === "user" ? actor.userId : actor.tokenId;
}
