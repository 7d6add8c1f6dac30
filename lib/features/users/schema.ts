import { z } from "zod";
import { csvFormat, listInput } from "@/lib/api/list";
import { emailSchema, providerSchema, userSchema } from "@/lib/features/auth/schema";
import { chosenAppsSchema } from "@/lib/features/permissions/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { lineSchema, nameSchema, readNameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";
import { PRESETS } from "@/lib/permissions/presets";
import { SCOPES } from "@/lib/permissions/scopes";

/** A user as administrators see it. */
export const administeredUserSchema = userSchema.extend({
  /** True until a user invited by e-mail has set a password. */
  invited: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSignInAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type AdministeredUser = z.output<typeof administeredUserSchema>;

/** A user who was just added. */
export const registeredUserSchema = administeredUserSchema.extend({
  /** The one-time link of the invitation, to pass on; null if a mail server sends it, or if the user was not invited. */
  invitationLink: z.url().nullable(),
});

/** An empty string means no team. */
const teamOf = (text: z.ZodString) =>
  text
    .max(100)
    .nullable()
    .transform((team) => team || null);
const team = teamOf(lineSchema);

export const registerUserInput = z.strictObject({
  firstNames: nameSchema,
  lastNames: nameSchema,
  email: emailSchema,
  team: team.optional(),
  roleId: idSchema,
  provider: providerSchema,
  status: statusSchema.default("active"),
});

/** The maximum number of people that one call invites. */
export const MAX_INVITED = 50;

/**
 * People to invite, and either the role that they get or the access that they need: a preset in some apps and
 * environments, as in create-role-permission.
 */
export const inviteUsersInput = z
  .strictObject({
    emails: z
      .array(emailSchema)
      .max(MAX_INVITED)
      .refine((emails) => emails.length > 0, { error: "required" }),
    /** The names of the one person; without them, they are taken from the e-mail. */
    firstNames: nameSchema.optional(),
    lastNames: nameSchema.optional(),
    team: team.optional(),
    provider: providerSchema.default("email"),
    roleId: idSchema.optional(),
    preset: z.enum(PRESETS).optional(),
    /** No apps means all apps; no environments means all environments of that app. */
    apps: chosenAppsSchema.optional(),
  })
  .refine(({ roleId, preset }) => (roleId === undefined) !== (preset === undefined), {
    path: ["roleId"],
    error: "roleOrPreset",
  })
  .refine(({ emails, firstNames, lastNames }) => emails.length <= 1 || (firstNames ?? lastNames) === undefined, {
    path: ["firstNames"],
    error: "namesOfOne",
  })
  .refine(({ preset, apps }) => preset !== undefined || apps === undefined, { path: ["apps"], error: "roleOrPreset" });

export const invitedUsersSchema = z.object({
  users: z.array(registeredUserSchema),
  /** The role that they got. `created` is true if no role had exactly this access, so one was added with it. */
  role: z.object({ id: idSchema, name: z.string(), created: z.boolean() }),
});
export type InvitedUsers = z.output<typeof invitedUsersSchema>;

const userChanges = {
  firstNames: nameSchema.optional(),
  lastNames: nameSchema.optional(),
  team: team.optional(),
  roleId: idSchema.optional(),
  status: statusSchema.optional(),
};

/** Omitted fields are not changed. E-mail and provider identify a user at the sign-in and cannot be changed. */
export const updateUserInput = z.strictObject({
  id: idSchema,
  ...userChanges,
  ifUpdatedAt: ifUpdatedAtSchema,
  /** What the user must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z
    .strictObject({
      ...userChanges,
      firstNames: readNameSchema.optional(),
      lastNames: readNameSchema.optional(),
      team: teamOf(z.string().trim()).optional(),
    })
    .optional(),
});

export const getUsersInput = listInput({
  sorts: ["firstNames", "lastNames", "email", "createdAt", "lastSignInAt", "role", "provider", "status"],
  filters: {
    status: statusSchema.optional(),
    roleId: idSchema.optional(),
    provider: providerSchema.optional(),
    ...csvFormat,
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

export const getUserInput = z.strictObject({ id: idSchema });

/** One user, with the groups of testers that the user belongs to. */
export const oneUserSchema = administeredUserSchema.extend({
  groups: z.array(z.object({ id: idSchema, name: z.string(), app: z.object({ id: idSchema, name: z.string() }) })),
});

export const getSessionsOfUserInput = z.strictObject({ userId: idSchema });

/** Without an ID of a session, all sessions of the user. */
export const deleteSessionsOfUserInput = z.strictObject({ userId: idSchema, id: idSchema.optional() });

export const getEnvironmentUsersInput = listInput({
  sorts: ["firstNames", "lastNames", "email", "lastSignInAt", "role"],
  filters: { environmentId: idSchema },
});

const scopesSchema = z.array(z.enum(SCOPES));

/** A user who can see an environment. */
export const environmentUserSchema = administeredUserSchema.extend({
  /** Whether the user is an administrator, who has access to everything. */
  administers: z.boolean(),
  /** Every scope that the user holds in the environment, including implied ones. */
  scopes: scopesSchema,
  /** Where the permissions of the user's role give access to it. Administrators need none. */
  sources: z.array(
    z.object({
      /** `everywhere`: in all applications · `app`: in the whole application · `environment`: in this environment */
      place: z.enum(["everywhere", "app", "environment"]),
      scopes: scopesSchema,
    }),
  ),
});
export type EnvironmentUser = z.output<typeof environmentUserSchema>;

export const deleteUserSessionsInput = z.strictObject({ id: idSchema.optional() });
