import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldIssues } from "@/lib/kernel/issues";
import { newPasswordSchema, PASSWORD_MISMATCH, passwordsMatch } from "./new-password";

const schema = z
  .object({ name: z.string().min(1), password: newPasswordSchema, confirmation: z.string().min(1) })
  .refine(passwordsMatch, PASSWORD_MISMATCH);

function issues(form: { name?: string; password: string; confirmation: string }): string[] {
  const parsed = schema.safeParse({ name: "Ada", ...form });
  return parsed.success ? [] : fieldIssues(parsed.error.issues).map(({ path, message }) => `${path}: ${message}`);
}

describe("a new password", () => {
  it("is accepted if it is long enough and matches its confirmation", () => {
    expect(issues({ password: "a few plain words", confirmation: "a few plain words" })).toEqual([]);
  });

  it("must match its confirmation, which is reported even if other fields are invalid", () => {
    expect(issues({ password: "a few plain words", confirmation: "a few plain word" })).toEqual([
      "confirmation: passwordMismatch",
    ]);
    expect(issues({ name: "", password: "a few plain words", confirmation: "other" })).toEqual([
      "name: required",
      "confirmation: passwordMismatch",
    ]);
  });

  it("reports only the missing field", () => {
    expect(issues({ password: "", confirmation: "" })).toEqual(["password: required", "confirmation: required"]);
    expect(issues({ password: "a few plain words", confirmation: "" })).toEqual(["confirmation: required"]);
  });

  it("counts characters in code points and the maximum in bytes", () => {
    expect(issues({ password: "🔑".repeat(11), confirmation: "🔑".repeat(11) })).toEqual([
      "password: passwordTooShort",
    ]);
    expect(issues({ password: "🔑".repeat(12), confirmation: "🔑".repeat(12) })).toEqual([]);
    expect(issues({ password: "é".repeat(513), confirmation: "é".repeat(513) })).toEqual(["password: passwordTooLong"]);
  });
});
