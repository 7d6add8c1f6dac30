import "server-only";
import { createHash } from "node:crypto";
import { widestNetworkOf } from "@/lib/http/network";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { FairQueue, QueueFullError } from "@/lib/kernel/fair-queue";
import { metrics } from "@/lib/kernel/metrics";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { currentTurn, Turn, withTurn } from "@/lib/kernel/turns";
import { type Actor, actorId } from "@/lib/permissions/actor";
import { credentialOf } from "./actor";

/** Calls of one caller that run at the same time. */
export const MAX_CALLS_AT_ONCE = 4;
/** Calls of one caller that wait for their turn. */
export const MAX_WAITING_CALLS = 500;
/** Calls of all callers that wait. Beyond it, a call of the caller with the most is refused. */
const MAX_WAITING = 5_000;
/** How long a caller waits who sends too many, in seconds. */
const RETRY_SECONDS = 5;
/** The credentials whose caller is remembered. */
const MAX_REMEMBERED = 10_000;

const calls = processSingleton(
  "calls",
  () =>
    new FairQueue({
      running: Number.POSITIVE_INFINITY,
      runningPerCaller: MAX_CALLS_AT_ONCE,
      waiting: MAX_WAITING,
      waitingPerCaller: MAX_WAITING_CALLS,
    }),
);

/** Who called with a credential last, by its hash. It decides about turns alone. */
const remembered = processSingleton("callers", () => new Map<string, string>());

const hashOf = (credential: string) => createHash("sha256").update(credential).digest("base64");

/** In whose turn a call runs: that of the user or token, or that of the network of a caller without either. */
function callerOf(actor: Actor, ip: string | null): string {
  return actor.kind === "anonymous" ? widestNetworkOf(ip) : actorId(actor);
}

/**
 * Whose call a request seems to be, before its caller is known: a credential that nobody has called with yet is its network's.
 * @param hash of the credential; null without one
 */
function presumedCaller(hash: string | null, ip: string | null): string {
  const known = hash === null ? undefined : remembered.get().get(hash);
  return known ?? widestNetworkOf(ip);
}

function remember(hash: string, caller: string): void {
  const callers = remembered.get();
  callers.delete(hash);
  callers.set(hash, caller);
  const [oldest] = callers.keys();
  if (oldest !== undefined && callers.size > MAX_REMEMBERED) callers.delete(oldest);
}

/** The turn of a call, whose caller is not known yet. */
export interface CallTurn extends Pick<Turn, "aside" | "within" | "refuseWaiting"> {
  /** Goes on in the turn of the caller. @throws as `inTurn` */
  identified(actor: Actor): Promise<void>;
}

/**
 * Runs a call in its caller's turn: the calls of one caller wait for each other, and for nobody else's. A call within another
 * one has that one's turn.
 * @throws ApiError rate_limited if too many calls of the caller wait; the reason of the request's signal while it waits; the errors of
 *   the work
 */
export async function inTurn<T>(
  request: Pick<RequestFacts, "headers" | "ip" | "signal">,
  work: (turn: CallTurn) => Promise<T>,
): Promise<T> {
  const outer = currentTurn();
  const credential = credentialOf(request.headers);
  const hash = credential === null ? null : hashOf(credential);
  const turn = outer ?? new Turn(calls.get(), presumedCaller(hash, request.ip));
  const waiting = async (entered: Promise<void>) => {
    try {
      await entered;
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      metrics.get().rateLimited.inc({ limit: "calls-at-once" });
      const params = { limit: MAX_WAITING_CALLS, seconds: RETRY_SECONDS };
      throw new ApiError("rate_limited", { detailKey: "detailAtOnce", params, retryAfter: RETRY_SECONDS });
    }
  };
  const identified = async (actor: Actor) => {
    const caller = callerOf(actor, request.ip);
    if (hash !== null && actor.kind !== "anonymous") remember(hash, caller);
    await waiting(turn.moveTo(caller, request.signal));
  };
  const call: CallTurn = {
    aside: (aside) => turn.aside(aside),
    within: (within) => turn.within(within),
    refuseWaiting: (error) => turn.refuseWaiting(error),
    identified,
  };
  if (outer) return work(call);
  try {
    await waiting(turn.begin(request.signal));
    return await withTurn(turn, () => work(call));
  } finally {
    turn.end();
  }
}
