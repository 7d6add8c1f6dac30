import { z } from "zod";
import { setupFirstAdminInput } from "@/lib/features/auth/schema";
import { isSameTwice, MISMATCH, newPasswordSchema } from "./new-password";

/** As the operation takes it, but with the password still in plain words, and twice; the token is the link's. */
export const setupSchema = setupFirstAdminInput
  .omit({ token: true })
  .extend({ password: newPasswordSchema, confirmation: z.string().min(1) })
  .refine(isSameTwice, MISMATCH);
export type SetupValues = z.output<typeof setupSchema>;
