import { z } from "zod";
import { newPasswordSchema, PASSWORD_MISMATCH, passwordsMatch } from "@/components/common/password/new-password";
import { setupFirstAdminInput } from "@/lib/features/auth/schema";

/** The operation's input, with the password in plain text and its confirmation; the token comes from the link. */
export const setupSchema = setupFirstAdminInput
  .omit({ token: true })
  .extend({ password: newPasswordSchema, confirmation: z.string().min(1) })
  .refine(passwordsMatch, PASSWORD_MISMATCH);
export type SetupValues = z.output<typeof setupSchema>;
