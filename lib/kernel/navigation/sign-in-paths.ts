import type { ErrorCode } from "@/lib/kernel/errors";

/** Query parameter of the steps of signing in: the page that was wanted, to go on to. */
export const NEXT_PARAMETER = "next";

/** Query parameter of the sign-in: a session has just ended, and the page says so. */
export const EXPIRED_PARAMETER = "expired";

function withNext(path: string, next: string | null): string {
  if (!next || next === "/") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${NEXT_PARAMETER}=${encodeURIComponent(next)}`;
}

/** The sign-in, which goes on to a page of this console. */
export function signInPath(next: string | null): string {
  return withNext("/", next);
}

/** The second step of the sign-in, which goes on to a page of this console. */
export function secondFactorPath(next: string | null): string {
  return withNext("/two-factor", next);
}

/** Where a second factor is switched on, with the way back to the page that needs one. */
export function enrollmentPath(next: string | null): string {
  return withNext("/profile?tab=two-factor", next);
}

/**
 * Where a page leads to whose call was refused, instead of showing the refusal.
 * @param path the page itself, to come back to
 * @returns null where the page shows it
 */
export function redirectForError(code: ErrorCode, path: string | null): string | null {
  switch (code) {
    case "not_authenticated":
    case "session_expired":
      return signInPath(path);
    case "two_factor_required":
      return secondFactorPath(path);
    case "two_factor_enrollment_required":
      return enrollmentPath(path);
    case "forbidden":
      return "/home";
    default:
      return null;
  }
}
