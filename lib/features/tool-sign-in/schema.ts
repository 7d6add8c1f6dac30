import { z } from "zod";
import { emailSchema } from "@/lib/features/auth/schema";
import { LOOPBACK_HOSTS, loopbackUrl } from "@/lib/kernel/navigation/safe-redirect";

/** The longest name of a machine that is shown. */
const MAX_MACHINE = 100;

/** The loopback address at which the tool waits (RFC 8252, 7.3); normalized. */
const redirectUriSchema = z
  .string()
  .max(2_048)
  .transform((text, context) => {
    const url = loopbackUrl(text, LOOPBACK_HOSTS);
    if (url !== null) return url;
    context.addIssue({ code: "custom", message: "redirect" });
    return z.NEVER;
  });

/** A SHA-256 in base64url (RFC 7636, 4.2, method S256). */
const codeChallengeSchema = z.string().regex(/^[\w-]{43}$/);

/** The request of a tool, as the parameters of the page that it opens. */
export const toolSignInInput = z.strictObject({
  /** Left out by a tool on another machine than the browser: the page shows a code, which the person types there. */
  redirectUri: redirectUriSchema.optional(),
  codeChallenge: codeChallengeSchema,
  /** Returned to the tool, which checks it. */
  state: z.string().regex(/^[\w-]{16,128}$/),
  /** The name of the machine, as the tool says. */
  machine: z
    .string()
    .trim()
    .min(1)
    .max(MAX_MACHINE)
    // No pattern of the OpenAPI document: other dialects of regular expressions do not have these classes.
    .refine((name) => /^[\p{L}\p{N}._ -]+$/u.test(name), {
      error: "invalidFormat",
      params: { code: "invalid_format" },
    }),
});
export type ToolSignInInput = z.output<typeof toolSignInInput>;

/** What a person should see before they let a tool sign in as them. */
export const toolSignInSchema = z.object({
  email: emailSchema,
  /** The address from which the page is opened. */
  address: z.string().nullable(),
  /** The host and port at which the tool waits, on the person's own machine; null for a code that is typed. */
  receiver: z.string().nullable(),
  /** Where a refusal is sent; null if it is not sent. */
  denyUrl: z.url().nullable(),
});
export type ToolSignIn = z.output<typeof toolSignInSchema>;

export const authorizedToolSchema = z.object({
  /** The address of the tool with a one-time code; null if the request has none. */
  url: z.url().nullable(),
  /** The one-time code that the person types into the tool within ten minutes; null if the address has it. */
  code: z.string().nullable(),
});

export const createToolSessionInput = z.strictObject({
  code: z.string().min(1).max(200),
  /** The secret whose hash the request had (RFC 7636, 4.1). */
  codeVerifier: z.string().regex(/^[\w.~-]{43,128}$/),
  /** As the request had it. */
  redirectUri: redirectUriSchema.optional(),
});
