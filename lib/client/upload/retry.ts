import type { ApiProblem } from "@/lib/client/problem";

/** How to handle a failed request of an upload. */
type Remedy =
  /** Send the same request again after a delay. */
  | "retry"
  /** Fetch the upload's state and continue with new URLs. */
  | "refresh"
  /** Stop; only the user can resolve it. */
  | "stop";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/**
 * Number of times that one request may fail on the server. A server that cannot be reached is retried without limit.
 */
export const MAX_SERVER_FAILURES = 8;

/** Temporary failures: timeouts, limits, an unavailable server or store. */
const TEMPORARY_STATUSES = [408, 425, 429, 500, 502, 503, 504];
/** Failures that the user has to resolve: sign in, get permission, choose another file, free space. */
const FINAL_CODES = [
  "not_authenticated",
  "session_expired",
  "forbidden",
  "two_factor_required",
  "two_factor_enrollment_required",
  "cross_origin",
  "file_too_large",
  "too_many_uploads",
  "unsupported_media_type",
  "storage_full",
];

/**
 * How to handle a failed request of an upload.
 *
 * A store answers an expired URL with 403, and this server answers a part of an unknown upload with 404. In both cases,
 * the upload's state is fetched.
 */
export function remedyFor(problem: Pick<ApiProblem, "code" | "status">): Remedy {
  if (problem.code === "network") return "retry";
  if (FINAL_CODES.includes(problem.code)) return "stop";
  if (TEMPORARY_STATUSES.includes(problem.status)) return "retry";
  // A proxy refuses the same request in the same way each time.
  if (problem.code === "proxy") return "stop";
  return problem.status >= 400 && problem.status < 500 ? "refresh" : "stop";
}

/**
 * The delay before a retry. It doubles up to half a minute; a random half of it prevents many clients from retrying at
 * the same moment.
 *
 * @param attempt 0 after the first failure
 * @param random a number from 0 to 1
 * @param retryAfter the server's `Retry-After`, in seconds
 * @returns milliseconds
 */
export function retryDelay(attempt: number, random: number, retryAfter: number | null = null): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 30));
  return Math.max(ceiling / 2 + (ceiling / 2) * random, (retryAfter ?? 0) * 1_000);
}
