import { z } from "zod";
import { emailLoginInput } from "@/lib/features/auth/schema";
import { MAX_PASSWORD_BYTES } from "@/lib/kernel/password-limits";

/** The operation's input, with the password in plain text. */
export const loginSchema = emailLoginInput.extend({ password: z.string().min(1).max(MAX_PASSWORD_BYTES) });
