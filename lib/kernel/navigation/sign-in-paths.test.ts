import { describe, expect, it } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/lib/kernel/errors";
import { safePath } from "./safe-path";
import { enrollmentPath, NEXT_PARAMETER, redirectForError, secondFactorPath, signInPath } from "./sign-in-paths";

const PAGE = "/secure-variables?app=1&environment=2";

/** Returns the page that the user continues to, as read from a path's query. */
function nextOf(path: string): string | null {
  return safePath(new URL(path, "https://slipway.example").searchParams.get(NEXT_PARAMETER));
}

describe("the paths of the sign-in steps", () => {
  it.each([signInPath, secondFactorPath, enrollmentPath])("contain the requested page with its query", (pathTo) => {
    expect(nextOf(pathTo(PAGE))).toBe(PAGE);
    expect(nextOf(pathTo("/home?search=%26next%3D%2Fx"))).toBe("/home?search=%26next%3D%2Fx");
  });

  it.each([signInPath, secondFactorPath, enrollmentPath])(
    "contain no page if none was requested, or the sign-in page",
    (pathTo) => {
      for (const next of [null, "", "/"]) expect(pathTo(next)).not.toContain(NEXT_PARAMETER);
    },
  );

  it("are different", () => {
    expect([signInPath(null), secondFactorPath(null), enrollmentPath(null)]).toEqual([
      "/",
      "/two-factor",
      "/profile?tab=two-factor",
    ]);
  });
});

describe("a page whose call was refused", () => {
  it.each([
    ["not_authenticated", signInPath(PAGE)],
    ["session_expired", signInPath(PAGE)],
    ["two_factor_required", secondFactorPath(PAGE)],
    ["two_factor_enrollment_required", enrollmentPath(PAGE)],
    ["forbidden", "/home?notice=forbidden"],
  ] as const)("redirects on %s to %s", (code, path) => {
    expect(redirectForError(code, PAGE)).toBe(path);
  });

  it("does not redirect on any other error", () => {
    const redirected: ErrorCode[] = [
      "not_authenticated",
      "session_expired",
      "two_factor_required",
      "two_factor_enrollment_required",
      "forbidden",
    ];
    const others = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => !redirected.includes(code));
    for (const code of others) expect(redirectForError(code, PAGE), code).toBeNull();
  });
});
