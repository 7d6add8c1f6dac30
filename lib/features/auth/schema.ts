import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";

/**
 * An address as RFC 5322 writes it without quotes (dot-atom): Azure's sign-in names of guests have a `#` in them. The
 * domain is a host name with a dot (RFC 1123), international ones in their ASCII form.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

export const emailSchema = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .pipe(z.email({ pattern: EMAIL }));

export const providerSchema = z.enum(["email", "apple", "azure", "github", "gitlab", "google"]);

/** A user as the API shows one. */
export const userSchema = z.object({
  id: idSchema,
  firstNames: z.string(),
  lastNames: z.string(),
  email: z.string(),
  team: z.string().nullable(),
  role: z.object({ id: idSchema, name: z.string() }),
  provider: providerSchema,
  status: statusSchema,
  avatarUrl: z.string().nullable(),
  twoFactorEnabled: z.boolean(),
});
export type User = z.output<typeof userSchema>;

/** An encrypted password; see get-public-key. */
export const passwordEnvelopeSchema = z
  .string()
  .min(1)
  .max(8_192)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+\.[\w-]*\.[\w-]+$/, { error: "passwordEnvelope" });

export const emailLoginInput = z.strictObject({ email: emailSchema, password: passwordEnvelopeSchema });

export const signedInSchema = z.object({
  user: userSchema,
  /** Unix seconds. */
  exp: z.number().int(),
  twoFactorRequired: z.boolean(),
});
export type SignedIn = z.output<typeof signedInSchema>;

export const updateUserProfileInput = z.strictObject({
  firstNames: nameSchema,
  lastNames: nameSchema,
  avatarFileId: idSchema.nullish(),
});

export const getSetupStateInput = z.strictObject({ token: z.string().max(200).optional() });

export const setupStateSchema = z.object({
  /** No administrator exists yet. */
  needed: z.boolean(),
  /** The token is the one of the setup link that was printed last. */
  linkValid: z.boolean(),
});

export const setupFirstAdminInput = z.strictObject({
  token: z.string().min(1).max(200),
  firstNames: nameSchema,
  lastNames: nameSchema,
  email: emailSchema,
  /** Encrypted as in email-login, or in plain text for a setup from the command line. */
  password: z.string().min(1).max(8_192),
});
