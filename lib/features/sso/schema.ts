import { z } from "zod";
import { signedInSchema } from "@/lib/features/auth/schema";
import { ssoProviderSchema } from "@/lib/features/auth-providers/schema";
import { safeRedirect } from "@/lib/kernel/navigation/safe-redirect";
import { SIGN_IN_FAILURES } from "@/lib/kernel/sign-in-failures";

/** A path of this console, or the loopback address of a command-line tool; normalized. */
const redirectSchema = z
  .string()
  .max(2_048)
  .transform((text, context) => {
    // The sign-in page is a path of this console too; it leads to the start page.
    if (text === "/") return undefined;
    const redirect = safeRedirect(text);
    if (redirect !== null) return redirect;
    context.addIssue({ code: "custom", message: "redirect" });
    return z.NEVER;
  });

export const oauthLoginInput = z.strictObject({ provider: ssoProviderSchema, redirectTo: redirectSchema.optional() });

export const oauthLoginCreateSessionInput = z.strictObject({
  /** The parameter `state` of the callback's address. */
  state: z.string().min(1).max(200),
});

export const ssoSignedInSchema = signedInSchema.extend({
  /** The page that oauth-login was called with; null for the start page. */
  redirectTo: z.string().nullable(),
});

/** The reason in the callback's address of a failed sign-in. An unknown reason does not come from a provider. */
export const signInFailureSchema = z.enum(SIGN_IN_FAILURES).catch("interrupted");

export const logoutUrlSchema = z.object({
  /** Null if there is no session of a provider to end. */
  url: z.string().nullable(),
});
