import { z } from "zod";
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH } from "@/lib/kernel/password-limits";

/** Whether a password has the characters that one must have; counted as people count them. */
export function isLongEnough(password: string): boolean {
  return [...password].length >= MIN_PASSWORD_LENGTH;
}

/** A new password, as far as the browser can judge it; the common ones and those made of names the server knows. */
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

const twice = z.object({ password: z.string(), confirmation: z.string().min(1) });

/** Whether the password and its confirmation are the same. */
export function isSameTwice(form: { password: string; confirmation: string }): boolean {
  return form.password === form.confirmation;
}

/** How `isSameTwice` refines a form: judged once both are there, whatever else of the form is still wrong. */
export const MISMATCH = {
  error: "passwordMismatch",
  path: ["confirmation"],
  when: ({ value }: { value: unknown }) => twice.safeParse(value).success,
};
