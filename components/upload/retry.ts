import type { ApiProblem } from "@/lib/client/client";

/** What to do about a request of an upload that failed. */
export type Remedy =
  /** Send the same request again after a while. */
  | "retry"
  /** Ask the server how far the upload has come, and go on from there with fresh addresses. */
  | "refresh"
  /** Nothing that a machine does helps. */
  | "stop";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Answers that pass: time-outs, limits, a server or store that is away for the moment. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];
/** Answers for which the person has to do something: sign in, get the right, choose another file, make room. */
const FINAL_CODES = [
  "not_authenticated",
  "session_expired",
  "forbidden",
  "two_factor_required",
  "two_factor_enrollment_required",
  "cross_origin",
  "file_too_large",
  "unsupported_media_type",
  "storage_full",
];

/**
 * What helps against a failed request of an upload.
 *
 * A store answers an address that has run out with 403, and this server a part of an upload that it no longer knows
 * with 404: both are seen to by asking for the upload's state.
 */
export function remedyFor(problem: Pick<ApiProblem, "code" | "status">): Remedy {
  if (problem.code === "network") return "retry";
  if (FINAL_CODES.includes(problem.code)) return "stop";
  if (PASSING.includes(problem.status)) return "retry";
  return problem.status >= 400 && problem.status < 500 ? "refresh" : "stop";
}

/**
 * How long to wait before another try: twice as long each time up to half a minute, of which a random half keeps
 * many clients of one server from coming back at the same moment.
 *
 * @param attempt 0 after the first failure
 * @param random a number from 0 to 1
 * @param retryAfter what the server asked for, in seconds
 * @returns milliseconds
 */
export function retryDelay(attempt: number, random: number, retryAfter: number | null = null): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 30));
  return Math.max(ceiling / 2 + (ceiling / 2) * random, (retryAfter ?? 0) * 1_000);
}
