import { z } from "zod";
import { isSameTwice, MISMATCH, newPasswordSchema } from "./new-password";

/** The new password in plain words, and twice; the token is the link's. */
export const resetPasswordSchema = z
  .strictObject({ password: newPasswordSchema, confirmation: z.string().min(1) })
  .refine(isSameTwice, MISMATCH);
export type ResetPasswordValues = z.output<typeof resetPasswordSchema>;
