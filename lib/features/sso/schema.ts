import { z } from "zod";
import { signedInSchema } from "@/lib/features/auth/schema";
import { ssoProviderSchema } from "@/lib/features/auth-providers/schema";
import { safeRedirect } from "@/lib/kernel/navigation/safe-redirect";
import { SIGN_IN_FAILURES } from "@/lib/kernel/sign-in-failures";

/** A path of this console, or the loopback address at which a command-line tool waits; normalised. */
const redirectSchema = z
  .string()
  .max(2_048)
  .transform((text, context) => {
    // The sign-in itself is a path of this console; it leads to where a person begins.
    if (text === "/") return undefined;
    const redirect = safeRedirect(text);
    if (redirect !== null) return redirect;
    context.addIssue({ code: "custom", message: "redirect" });
    return z.NEVER;
  });

export const oauthLoginInput = z.strictObject({ provider: ssoProviderSchema, redirectTo: redirectSchema.optional() });

export const oauthLoginCreateSessionInput = z.strictObject({
  /** What the sign-in's callback was given in its address. */
  state: z.string().min(1).max(200),
});

export const ssoSignedInSchema = signedInSchema.extend({
  /** The page that was wanted, as oauth-login was told; null for where the person begins. */
  redirectTo: z.string().nullable(),
});

/** The reason in the address of a failed sign-in's callback; without one that we know, nobody came from a provider. */
export const signInFailureSchema = z.enum(SIGN_IN_FAILURES).catch("interrupted");

export const logoutUrlSchema = z.object({
  /** Null where signing out here is all there is to do. */
  url: z.string().nullable(),
});
