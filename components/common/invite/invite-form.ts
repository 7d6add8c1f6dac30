import { z } from "zod";
import { emailSchema, providerSchema } from "@/lib/features/auth/schema";
import { type inviteUsersInput, MAX_INVITED } from "@/lib/features/users/schema";
import { PRESETS } from "@/lib/permissions/presets";

/** The environment that stands for all environments of the app. */
export const ALL_ENVIRONMENTS = "all";

/** A text that may be left out. */
const optionalLine = z.string().trim().max(100);

/** The values of the invitation's form: a role, or a preset in one app, as `access` says. */
export const inviteFormSchema = z
  .object({
    emails: z
      .array(emailSchema)
      .max(MAX_INVITED)
      .refine((emails) => emails.length > 0, { error: "required" }),
    firstNames: optionalLine,
    lastNames: optionalLine,
    team: optionalLine,
    provider: z.custom<z.output<typeof providerSchema>>((value) => providerSchema.safeParse(value).success, {
      error: "providerRequired",
    }),
    access: z.enum(["preset", "role"]),
    preset: z.enum(PRESETS),
    appId: z.string(),
    environmentId: z.string(),
    roleId: z.string(),
  })
  .superRefine(({ access, appId, roleId }, context) => {
    if (access === "role" && !roleId) context.addIssue({ code: "custom", path: ["roleId"], message: "roleRequired" });
    if (access === "preset" && !appId) context.addIssue({ code: "custom", path: ["appId"], message: "required" });
  });
export type InviteForm = z.output<typeof inviteFormSchema>;

/** Converts the form's values to the input of invite-users. */
export function toInvitation({
  emails,
  provider,
  access,
  preset,
  appId,
  environmentId,
  roleId,
  ...person
}: InviteForm) {
  const { firstNames, lastNames, team } = person;
  // Names belong to one person.
  const named = emails.length === 1 ? { ...(firstNames && { firstNames }), ...(lastNames && { lastNames }) } : {};
  const given =
    access === "role"
      ? { roleId }
      : { preset, apps: [{ appId, environmentIds: environmentId === ALL_ENVIRONMENTS ? [] : [environmentId] }] };
  return { emails, ...named, ...(team && { team }), provider, ...given } satisfies z.input<typeof inviteUsersInput>;
}
