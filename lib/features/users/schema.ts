import { z } from "zod";
import { listInput } from "@/lib/api/list";
import { emailSchema, nameSchema, providerSchema, statusSchema, userSchema } from "@/lib/features/auth/schema";
import { idSchema } from "@/lib/kernel/ids-schema";

/** A user as administrators see it. */
export const administeredUserSchema = userSchema.extend({
  /** True until a user invited by e-mail has set a password. */
  invited: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSignInAt: z.iso.datetime().nullable(),
});
export type AdministeredUser = z.output<typeof administeredUserSchema>;

/** A user who was just added. */
export const registeredUserSchema = administeredUserSchema.extend({
  /** The one-time link of the invitation, to pass on; null if a mail server sends it, or if the user was not invited. */
  invitationLink: z.url().nullable(),
});

/** An empty string means no team. */
const team = z
  .string()
  .trim()
  .max(100)
  .nullable()
  .transform((text) => text || null);

export const registerUserInput = z.strictObject({
  firstNames: nameSchema,
  lastNames: nameSchema,
  email: emailSchema,
  team: team.optional(),
  roleId: idSchema,
  provider: providerSchema,
  status: statusSchema.default("active"),
});

/** Omitted fields are not changed. E-mail and provider identify a user at the sign-in and cannot be changed. */
export const updateUserInput = z.strictObject({
  id: idSchema,
  firstNames: nameSchema.optional(),
  lastNames: nameSchema.optional(),
  team: team.optional(),
  roleId: idSchema.optional(),
  status: statusSchema.optional(),
});

export const getUsersInput = listInput({
  sorts: ["firstNames", "lastNames", "email", "createdAt"],
  filters: {
    status: statusSchema.optional(),
    roleId: idSchema.optional(),
    provider: providerSchema.optional(),
  },
});

/** A session of a user, as its owner sees it. */
export const userSessionSchema = z.object({
  id: idSchema,
  /** True for the caller's session. */
  current: z.boolean(),
  method: z.enum(["password", "setup", "passkey", "sso"]),
  createdAt: z.iso.datetime(),
  /** When it ends, unless it is used before. */
  expiresAt: z.iso.datetime(),
  ip: z.string().nullable(),
  /** The program ("Firefox", "curl") and its operating system, if the User-Agent names them. */
  client: z.object({ program: z.string().nullable(), system: z.string().nullable() }),
});
export type UserSession = z.output<typeof userSessionSchema>;

export const deleteUserSessionsInput = z.strictObject({ id: idSchema.optional() });
