import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";
import { ApiCallError } from "@/lib/client/problem";
import { MAX_SERVER_FAILURES, remedyFor, retryDelay } from "@/lib/client/upload/retry";
import { type Console, callFailure, READING_TIMEOUT_MS } from "./console";
import type { Context } from "./context";
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
  let said = "";
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
      const reason = `Waiting for the server: ${printable(failure.message.split("\n", 1)[0] ?? "")}`;
      if (reason !== said) err.say(reason);
      said = reason;
      await pause(retryDelay(failures, Math.random(), retryAfter), signal);
    }
  }
}
