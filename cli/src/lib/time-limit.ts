import { type Failure, unreachableFailure } from "./failure";

/** How long a file may take until the console has it. */
export interface TimeLimit {
  ms: number;
  /** Aborted when the time is up. */
  signal: AbortSignal;
}

/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A limit that begins now. */
export function timeLimit(ms: number): TimeLimit {
  return { ms, signal: AbortSignal.timeout(Math.min(ms, MAX_TIMER_MS)) };
}

export const CONTINUE_HINT = "Run the same command again: it continues with the parts that have arrived.";

/** The failure when the time is up. */
export function timeLimitFailure({ ms }: TimeLimit): Failure {
  return unreachableFailure(`The upload took longer than ${ms / 1000} seconds.`, CONTINUE_HINT);
}
