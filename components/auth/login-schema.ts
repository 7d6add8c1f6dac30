import { z } from "zod";
import { emailLoginInput } from "@/lib/features/auth/schema";
import { MAX_PASSWORD_BYTES } from "@/lib/kernel/password-limits";

/** As the operation takes it, but with the password still in plain words. */
export const loginSchema = emailLoginInput.extend({ password: z.string().min(1).max(MAX_PASSWORD_BYTES) });
export type LoginValues = z.output<typeof loginSchema>;
