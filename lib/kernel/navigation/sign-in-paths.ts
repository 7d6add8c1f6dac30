import type { ErrorCode } from "@/lib/kernel/errors";
import { FORBIDDEN_NOTICE, PAGES, pagePath } from "./pages";

/** Query parameter of the sign-in steps: the page to continue to. */
export const NEXT_PARAMETER = "next";

/** Query parameter of the sign-in page: the session has expired. */
export const EXPIRED_PARAMETER = "expired";

function withNext(path: string, next: string | null): string {
  if (!next || next === "/") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${NEXT_PARAMETER}=${encodeURIComponent(next)}`;
}

/** Returns the path of the sign-in page, which continues to `next`. */
export function signInPath(next: string | null): string {
  return withNext("/", next);
}

/** Returns the path of the second factor page, which continues to `next`. */
export function secondFactorPath(next: string | null): string {
  return withNext(PAGES.secondFactor, next);
}

/** Returns the path of the page that turns on two-factor authentication, which continues to `next`. */
export function enrollmentPath(next: string | null): string {
  return withNext(pagePath(PAGES.profile, { tab: "two-factor" }), next);
}

/**
 * Returns the path that a page redirects to when one of its calls fails.
 * @param path the page's own path, to return to
 * @returns null if the page shows the error instead
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
      return pagePath(PAGES.home, { notice: FORBIDDEN_NOTICE });
    default:
      return null;
  }
}
