import { z } from "zod";
import { isLongEnough, MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH } from "@/lib/kernel/password-limits";

/**
 * A new password, as far as the browser can check it. The server also rejects common passwords and those made of names.
 */
export const newPasswordSchema = z
  .string()
  .min(1)
  .refine(isLongEnough, {
    error: "passwordTooShort",
    params: { values: { limit: MIN_PASSWORD_LENGTH } },
    when: ({ value }) => value !== "",
  })
  .refine((password) => new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES, {
    error: "passwordTooLong",
    params: { values: { limit: MAX_PASSWORD_BYTES } },
  });

const bothEntered = z.object({ password: z.string(), confirmation: z.string().min(1) });

/** Whether the password and its confirmation are equal. */
export function passwordsMatch(form: { password: string; confirmation: string }): boolean {
  return form.password === form.confirmation;
}

/**
 * Options for refining a form with `passwordsMatch`: checked as soon as both fields are filled in, even if other fields
 * are invalid.
 */
export const PASSWORD_MISMATCH = {
  error: "passwordMismatch",
  path: ["confirmation"],
  when: ({ value }: { value: unknown }) => bothEntered.safeParse(value).success,
};
