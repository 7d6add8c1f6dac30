import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { invitationLinkToPassOn } from "@/lib/auth/password-links";
import { isProviderEnabled } from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { findApp } from "@/lib/features/apps/data";
import { environmentName } from "@/lib/features/environments/data";
import { type ChosenAccess, findRoleWithAccess, grantAccess, requirePlaces } from "@/lib/features/permissions/data";
import { createRole, findRole, freeRoleName } from "@/lib/features/roles/data";
import { requestMail } from "@/lib/jobs/mail";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { newId } from "@/lib/kernel/ids";
import { PRESET_SCOPES, type Preset } from "@/lib/permissions/presets";
import { createUser, takenEmails, toAdministeredUser } from "../data";
import { invitedEvent } from "../internal/user-events";
import { namesFromEmail } from "../rules";
import { type InvitedUsers, invitedUsersSchema, inviteUsersInput } from "../schema";

/** Number of characters of an app's or environment's name that become part of a role's name. */
const PLACE_NAME_LENGTH = 30;

const shortened = (name: string) => [...name].slice(0, PLACE_NAME_LENGTH).join("").trim();

/** "Testers · Atlas · Staging": the preset, with the app and the environment if the access is limited to one. */
async function nameOfAccess(tx: Db, preset: Preset, { apps }: ChosenAccess, locale: Locale): Promise<string> {
  const general = translatorFor(locale)(`presets.${preset}.role`);
  const [place, ...others] = apps;
  if (!place || others.length > 0) return general;
  const app = await findApp(tx, place.appId);
  const [environmentId, ...more] = place.environmentIds;
  const environment = environmentId && more.length === 0 ? await environmentName(tx, environmentId) : null;
  return [general, app?.name, environment].flatMap((name) => (name ? [shortened(name)] : [])).join(" · ");
}

/**
 * The role with exactly this access. If there is none, it is added with its permission and named after its access.
 */
async function roleWithAccess(
  tx: Db,
  preset: Preset,
  access: ChosenAccess,
  locale: Locale,
): Promise<InvitedUsers["role"]> {
  await requirePlaces(tx, access.apps);
  // Two invitations at the same moment add one role.
  await lockUntilCommit(tx, "role-with-access");
  const existing = await findRoleWithAccess(tx, access);
  if (existing) return { ...existing, created: false };
  const name = await freeRoleName(tx, await nameOfAccess(tx, preset, access, locale));
  const id = newId();
  await createRole(tx, { id, name });
  await grantAccess(tx, id, access);
  return { id, name, created: true };
}

/** @throws ApiError validation_failed if there is no such role */
async function chosenRole(tx: Db, roleId: string): Promise<InvitedUsers["role"]> {
  const role = await findRole(tx, roleId);
  if (role === null) throw invalidField("roleId", "unknown");
  return { id: role.id, name: role.name, created: false };
}

/** @throws ApiError conflict with the path of each e-mail that a user has, or that occurs twice */
async function requireFreeEmails(tx: Db, emails: readonly string[]): Promise<void> {
  const seen = await takenEmails(tx, emails);
  const issues = emails.flatMap((email, index) => {
    if (!seen.has(email.toLowerCase())) {
      seen.add(email.toLowerCase());
      return [];
    }
    return [{ path: ["emails", index], code: "emailTaken", message: "emailTaken", params: { email } }];
  });
  if (issues.length > 0) throw new ApiError("conflict", { params: { field: "emails" }, issues });
}

/**
 * Adds users by their e-mails, and invites those who sign in by e-mail to choose a password. They get the given role, or
 * the one that has exactly a preset's access, which is added if there is none. Either all of it is done or nothing.
 * Their names are taken from the e-mails until someone enters others; those of one person can be given.
 */
export const inviteUsers = defineCommand({
  area: "auth",
  name: "invite-users",
  summary: "Invite people, with a role or with the access that they need",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: inviteUsersInput,
  output: invitedUsersSchema,
  status: 201,
  errors: ["conflict"],
  maxJsonBytes: 1024 * 1024,
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "User", action: "invite" },
  async handler({ input, actor, tx, request }) {
    const { emails, firstNames, lastNames, team, provider, roleId, preset, apps = [] } = input;
    if (!(await isProviderEnabled(tx, provider))) throw invalidField("provider", "providerOff");
    await requireFreeEmails(tx, emails);
    const role =
      preset === undefined
        ? await chosenRole(tx, roleId as string)
        : await roleWithAccess(tx, preset, { scopes: [...PRESET_SCOPES[preset]], apps }, request.locale);
    const users: InvitedUsers["users"] = [];
    for (const email of emails) {
      const guessed = namesFromEmail(email);
      const names = { firstNames: firstNames ?? guessed.firstNames, lastNames: lastNames ?? guessed.lastNames };
      const created = await createUser(tx, { id: newId(), ...names, team, email, provider, roleId: role.id });
      if (provider === "email") {
        await requestMail(tx, { purpose: "invitation", userId: created.id, locale: request.locale });
      }
      const invitationLink = provider === "email" ? await invitationLinkToPassOn(tx, created.id, request.now) : null;
      users.push({ ...toAdministeredUser(created), invitationLink });
    }
    const facts = {
      emails,
      userIds: users.map(({ id }) => id),
      ...(team && { team }),
      provider,
      role,
      ...(role.created && { scopes: preset && PRESET_SCOPES[preset], apps: apps.length > 0 ? apps : "all" }),
    };
    return {
      output: { users, role },
      audit: { recordId: users.length === 1 ? (users[0]?.id ?? null) : null, changes: changesBetween(null, facts) },
      events: users.map((user) => invitedEvent(user, role, actor)),
    };
  },
});
