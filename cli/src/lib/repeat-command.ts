import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";
import { ApiCallError } from "@/lib/client/problem";
import { MAX_SERVER_FAILURES, remedyFor, retryDelay } from "@/lib/client/upload/retry";
import { type Console, callFailure, networkCode, type Patience, READING_TIMEOUT_MS } from "./console";
import type { Context } from "./context";
import type { Failure } from "./failure";
import { WaitingLog } from "./progress";
import { printable } from "./terminal";
import { type TimeLimit, timeLimitFailure } from "./time-limit";

/** Resolves after a time, or earlier if the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/** Says why the tool waits. */
function waitingLog({ err }: Pick<Context, "err">): (failure: Failure) => void {
  const log = new WaitingLog((text) => err.say(text));
  return (failure) => log.say(`Waiting for the server: ${printable(failure.message.split("\n", 1)[0] ?? "")}`);
}

/** What is wrong with the address or with this machine, so that no time heals it. */
const LASTING = /^(ENOTFOUND|EPROTO|ERR_(SSL|TLS)_.*|CERT_.*|.*(SIGNED|LEAF_SIGNATURE|ISSUER_CERT).*)$/;

/**
 * Repeats the calls before a file is sent while the console is busy or restarts, until the time is up. A console that has not
 * answered yet is waited for only where the caller said how long: its address may be wrong.
 * @throws ApiCallError of the last call
 */
export function patienceFor(
  context: Pick<Context, "err">,
  console: Console,
  { limit, isGiven }: { limit: TimeLimit; isGiven: boolean },
): Patience {
  const sayWhy = waitingLog(context);
  return async (call) => {
    let last: ApiCallError | null = null;
    for (let failures = 0; ; failures += 1) {
      try {
        return await call(limit.signal);
      } catch (error) {
        if (limit.signal.aborted) throw last ?? timeLimitFailure(limit);
        if (!(error instanceof ApiCallError) || remedyFor(error.problem) !== "retry") throw error;
        const { code, retryAfter } = error.problem;
        if (code !== "network" && retryAfter === null) throw error;
        const mayHeal = console.hasAnswered || (isGiven && !LASTING.test(networkCode(error.cause)));
        if (code === "network" && !mayHeal) throw error;
        last = error;
        sayWhy(callFailure(console.url, error));
        await pause(retryDelay(failures, Math.random(), retryAfter), limit.signal);
        if (limit.signal.aborted) throw error;
      }
    }
  };
}

/**
 * Calls a command that takes over a file, and calls it again while the console cannot be reached or is busy, until the time is
 * up. Calling the command twice must have the effect of one call, because an answer may be lost.
 * @throws Failure; the signal's reason after an interruption
 */
export async function repeatCommand<P extends OperationPath>(
  { err }: Pick<Context, "err">,
  console: Console,
  path: P,
  input: OperationInput<P>,
  { limit, interrupted }: { limit: TimeLimit; interrupted: AbortSignal },
): Promise<OperationOutput<P>> {
  const signal = AbortSignal.any([interrupted, limit.signal]);
  let serverFailures = 0;
  const sayWhy = waitingLog({ err });
  for (let failures = 0; ; failures += 1) {
    try {
      return await console.tryCommand(path, input, { signal, timeoutMs: READING_TIMEOUT_MS });
    } catch (error) {
      if (interrupted.aborted) throw error;
      if (limit.signal.aborted) throw timeLimitFailure(limit);
      if (!(error instanceof ApiCallError)) throw error;
      const failure = callFailure(console.url, error);
      const { code, retryAfter } = error.problem;
      // One that does not say when to come back may fail in the same way each time.
      if (code !== "network" && retryAfter === null) serverFailures += 1;
      if (remedyFor(error.problem) !== "retry" || serverFailures > MAX_SERVER_FAILURES) throw failure;
      sayWhy(failure);
      await pause(retryDelay(failures, Math.random(), retryAfter), signal);
    }
  }
}
