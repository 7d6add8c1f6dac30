import { z } from "zod";
import { newPasswordSchema, PASSWORD_MISMATCH, passwordsMatch } from "@/components/common/password/new-password";

/** The new password in plain text with its confirmation; the token comes from the link. */
export const resetPasswordSchema = z
  .strictObject({ password: newPasswordSchema, confirmation: z.string().min(1) })
  .refine(passwordsMatch, PASSWORD_MISMATCH);
export type ResetPasswordValues = z.output<typeof resetPasswordSchema>;
