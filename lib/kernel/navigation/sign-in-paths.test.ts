import { describe, expect, it } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/lib/kernel/errors";
import { safePath } from "./safe-path";
import { enrollmentPath, NEXT_PARAMETER, redirectForError, secondFactorPath, signInPath } from "./sign-in-paths";

const PAGE = "/secure-variables?app=1&environment=2";

/** The page that a path goes on to, as the page at its end reads it. */
function nextOf(path: string): string | null {
  return safePath(new URL(path, "https://slipway.example").searchParams.get(NEXT_PARAMETER));
}

describe("the steps of signing in", () => {
  it.each([signInPath, secondFactorPath, enrollmentPath])("keep the wanted page, query and all", (pathTo) => {
    expect(nextOf(pathTo(PAGE))).toBe(PAGE);
    expect(nextOf(pathTo("/home?search=%26next%3D%2Fx"))).toBe("/home?search=%26next%3D%2Fx");
  });

  it.each([signInPath, secondFactorPath, enrollmentPath])(
    "want nothing where there was no page, or the sign-in",
    (pathTo) => {
      for (const next of [null, "", "/"]) expect(pathTo(next)).not.toContain(NEXT_PARAMETER);
    },
  );

  it("are a page each", () => {
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
    ["forbidden", "/home"],
  ] as const)("leads %s on to %s", (code, path) => {
    expect(redirectForError(code, PAGE)).toBe(path);
  });

  it("shows every other refusal itself", () => {
    const led: ErrorCode[] = [
      "not_authenticated",
      "session_expired",
      "two_factor_required",
      "two_factor_enrollment_required",
      "forbidden",
    ];
    const others = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => !led.includes(code));
    for (const code of others) expect(redirectForError(code, PAGE), code).toBeNull();
  });
});
