import { randomUUID } from "node:crypto";
import sharp from "sharp";
import type { InputOf } from "@/lib/api/operation";
import { newPasswordLink } from "@/lib/auth/password-links";
import { newSetupLink } from "@/lib/auth/setup";
import { issueTicket } from "@/lib/auth/sso/ticket";
import { db } from "@/lib/db";
import { operations } from "@/lib/operations";
import { anAppleKey } from "./apple-key";
import { aProviderConfig, noProviderConfig } from "./auth-providers";
import { ANONYMOUS, type Answer, aToken, aUser, type Caller, send } from "./console";
import { aPasskey, passkeyCreation, passkeyUse } from "./passkeys";
import { sealedPassword } from "./password";
import { anIpa, anUpload, aRelease, releaseForm, sendPart } from "./releases";
import { codeOf, isTestUser, withTwoFactor } from "./two-factor";
import { ADMIN_PASSWORD, CANARIES, type World } from "./world";

type Operations = typeof operations;

/** How a rightful caller uses an operation: what the law test sends as the positive control. */
export interface Sample<P extends keyof Operations = keyof Operations> {
  /** An input with which the access checks are reached. */
  input(world: World): Partial<InputOf<Operations[P]>> | Record<string, never>;
  /**
   * Makes what the call needs, and gives the call itself.
   * @param owner whose things the call is about, where they are somebody's; the administrator, if it is not said
   * @returns the call, sent by the owner or by whoever it is given
   */
  arrange(world: World, owner?: Caller): Promise<(sender?: Caller) => Promise<Answer>>;
}

/** A sample that an actor sends as it stands. */
function plain<P extends keyof Operations>(
  path: P,
  input: (world: World) => Promise<InputOf<Operations[P]>> | InputOf<Operations[P]>,
  as: (world: World) => Caller = (world) => world.admin,
): Sample<P> {
  return {
    input: () => ({}),
    arrange: async (world, owner = as(world)) => {
      const given = (await input(world)) as Record<string, unknown>;
      return (sender = owner) => send(operations[path], sender, given);
    },
  };
}

/** As `plain`, where the access depends on what the input names. */
function placed<P extends keyof Operations>(path: P, input: (world: World) => InputOf<Operations[P]>): Sample<P> {
  return { ...plain(path, input), input };
}

/** A small square picture as an upload. */
export async function pictureForm(): Promise<FormData> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 4, background: "#3355ff" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append("kind", "image");
  form.append("file", new Blob([Uint8Array.from(png)], { type: "image/png" }), "logo.png");
  return form;
}

/** An uploaded picture's id. */
export async function aPicture(caller: Caller): Promise<string> {
  const { body } = await send(operations["files/upload-file"], caller, await pictureForm());
  return body.fileId;
}

/** A sample that names a release of its own; whoever must not know it may name any. */
function ofRelease<P extends keyof Operations>(path: P, more: Record<string, unknown> = {}): Sample<P> {
  return {
    input: () => ({ id: randomUUID(), ...more }) as never,
    arrange: async ({ admin, app, environmentId }, owner = admin) => {
      const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
      return (sender = owner) => send(operations[path], sender, { id, ...more });
    },
  };
}

/** A sample about an upload of the caller's own. */
function ofUpload<P extends keyof Operations>(
  path: P,
  more: (uploadId: string, owner: Caller) => Promise<Record<string, unknown>> = async () => ({}),
): Sample<P> {
  return {
    input: () => ({ uploadId: randomUUID() }) as never,
    arrange: async ({ admin }, owner = admin) => {
      const { uploadId } = await anUpload(owner, "Example.ipa", 5);
      const input = { uploadId, ...(await more(uploadId, owner)) };
      return (sender = owner) => send(operations[path], sender, input);
    },
  };
}

/** A role of which nobody else knows. @returns its id */
async function aRole(): Promise<string> {
  const role = await db.role.create({ data: { id: randomUUID(), name: `role ${randomUUID()}` } });
  return role.id;
}

/** A permission of a role of its own. @returns its id */
async function aPermission({ admin }: World): Promise<string> {
  const input = { roleId: await aRole(), scopes: ["release:read"], apps: [] };
  const { body } = await send(operations["permissions/create-role-permission"], admin, input);
  return body.id;
}

/** A sample that takes a code of its owner's authenticator app, once their second factor is on and passed. */
function ofTwoFactor<P extends keyof Operations>(path: P): Sample<P> {
  return {
    input: () => ({}),
    arrange: async (_world, owner) => {
      const user = owner && isTestUser(owner) ? owner : await aUser({ admin: true });
      const secret = await withTwoFactor(user, { passed: true });
      return (sender = user) => send(operations[path], sender, { code: codeOf(secret) });
    },
  };
}

const IOS_PLATFORM = "019a0000-0000-7000-8000-000000000011";

/** One for each operation: an operation without one does not compile. */
export const samples: { [P in keyof Operations]: Sample<P> } = {
  "apps/create-app": plain("apps/create-app", () => ({ name: "Notes", identifier: `com.example.n${Date.now()}` })),
  "apps/create-environment-app": placed("apps/create-environment-app", ({ app }) => ({
    appId: app.appId,
    name: `Environment ${randomUUID()}`,
  })),
  "apps/create-testing-deploy": {
    input: ({ environmentId }) => ({ environmentId, fileId: randomUUID(), description: "What changed" }),
    arrange: async ({ admin, app, environmentId }, owner = admin) => {
      const form = releaseForm(anIpa(app.identifier), "Example.ipa", { environmentId });
      return (sender = owner) => send(operations["apps/create-testing-deploy"], sender, form);
    },
  },
  "apps/delete-testing-deploy": ofRelease("apps/delete-testing-deploy"),
  "apps/download-testing-deploy-apple-file": {
    input: () => ({}),
    arrange: async ({ admin, app, environmentId }) => {
      const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
      const link = await send(operations["apps/generate-apple-manifest-request-token"], admin, { id });
      return () => send(operations["apps/download-testing-deploy-apple-file"], ANONYMOUS, { token: link.body.token });
    },
  },
  "apps/download-testing-deploy-file": ofRelease("apps/download-testing-deploy-file"),
  "apps/generate-apple-manifest-request-token": ofRelease("apps/generate-apple-manifest-request-token"),
  "apps/get-app": placed("apps/get-app", ({ app }) => ({ id: app.appId })),
  "apps/get-app-environments": placed("apps/get-app-environments", ({ app }) => ({ appId: app.appId })),
  "apps/get-apps": plain("apps/get-apps", () => ({})),
  "apps/get-authorized-apps": plain("apps/get-authorized-apps", () => ({})),
  "apps/get-authorized-environments-by-app": placed("apps/get-authorized-environments-by-app", ({ app }) => ({
    appId: app.appId,
  })),
  "apps/get-environment-app": placed("apps/get-environment-app", ({ environmentId }) => ({ id: environmentId })),
  "apps/get-environment-apps": plain("apps/get-environment-apps", ({ app }) => ({ appId: app.appId })),
  "apps/get-environments-apps-by-app": plain("apps/get-environments-apps-by-app", ({ app }) => ({
    appIds: [app.appId],
  })),
  "apps/get-testing-deploy-by-id": ofRelease("apps/get-testing-deploy-by-id"),
  "apps/get-testing-deploys": placed("apps/get-testing-deploys", ({ environmentId }) => ({ environmentId })),
  "apps/get-testing-deploys-by-app": placed("apps/get-testing-deploys-by-app", ({ app }) => ({ appId: app.appId })),
  "apps/update-app": plain("apps/update-app", ({ app }) => ({ id: app.appId, description: "Ours" })),
  "apps/update-environment-app": placed("apps/update-environment-app", ({ environmentId }) => ({
    id: environmentId,
    identifiers: ["com.example.staging"],
  })),
  "apps/update-testing-deploy": ofRelease("apps/update-testing-deploy", { description: "What really changed" }),
  "auth/create-passkey": plain("auth/create-passkey", () => ({})),
  "auth/delete-user-passkey": {
    input: () => ({ id: randomUUID() }),
    arrange: async ({ admin }, owner = admin) => {
      const { id } = await aPasskey(owner);
      return (sender = owner) => send(operations["auth/delete-user-passkey"], sender, { id });
    },
  },
  "auth/delete-user-sessions": plain("auth/delete-user-sessions", () => ({})),
  "auth/create-recovery-codes": ofTwoFactor("auth/create-recovery-codes"),
  "auth/delete-two-factor": ofTwoFactor("auth/delete-two-factor"),
  "auth/email-login": plain(
    "auth/email-login",
    async (world) => ({ email: world.admin.email, password: await sealedPassword(ADMIN_PASSWORD) }),
    () => ANONYMOUS,
  ),
  "auth/generate-password-recovery": plain(
    "auth/generate-password-recovery",
    () => ({ email: `${randomUUID()}@example.test` }),
    () => ANONYMOUS,
  ),
  "auth/get-logout-url": plain("auth/get-logout-url", () => ({})),
  "auth/get-password-link": plain(
    "auth/get-password-link",
    () => ({ token: "unknown" }),
    () => ANONYMOUS,
  ),
  "auth/enroll-two-factor": {
    input: () => ({}),
    arrange: async (_world, owner) => {
      const user = owner ?? (await aUser({ admin: true }));
      return (sender = user) => send(operations["auth/enroll-two-factor"], sender);
    },
  },
  "auth/get-setup-state": plain(
    "auth/get-setup-state",
    () => ({}),
    () => ANONYMOUS,
  ),
  "auth/get-passkey-offer": plain(
    "auth/get-passkey-offer",
    () => ({}),
    () => ANONYMOUS,
  ),
  "auth/get-user-passkeys": plain("auth/get-user-passkeys", () => ({})),
  "auth/get-two-factor": plain("auth/get-two-factor", () => ({})),
  "auth/get-user-profile": plain("auth/get-user-profile", () => ({})),
  "auth/get-user-sessions": plain("auth/get-user-sessions", () => ({})),
  "auth/get-users": plain("auth/get-users", () => ({})),
  "auth/login-with-passkey": plain(
    "auth/login-with-passkey",
    () => ({}),
    () => ANONYMOUS,
  ),
  "auth/logout": {
    input: () => ({}),
    arrange: async (_world, owner) => {
      const leaver = owner ?? (await aUser({ admin: true }));
      return (sender = leaver) => send(operations["auth/logout"], sender);
    },
  },
  "auth/oauth-login": plain(
    "auth/oauth-login",
    async () => {
      await aProviderConfig("github", {}, { enabled: true });
      return { provider: "github" as const };
    },
    () => ANONYMOUS,
  ),
  "auth/oauth-login-create-session": plain(
    "auth/oauth-login-create-session",
    async () => {
      await aProviderConfig("gitlab", {}, { enabled: true });
      const { userId } = await aUser();
      await db.user.update({ where: { id: userId }, data: { provider: "gitlab" } });
      const { state } = await db.$transaction((tx) => issueTicket(tx, userId, false, new Date()));
      return { state };
    },
    () => ANONYMOUS,
  ),
  "auth/refresh": plain("auth/refresh", () => ({})),
  "auth/register-user": plain("auth/register-user", async () => ({
    firstNames: "Grace",
    lastNames: "Hopper",
    email: `${randomUUID()}@example.test`,
    roleId: await aRole(),
    provider: "github",
    status: "active",
  })),
  "auth/resend-invitation": plain("auth/resend-invitation", async () => {
    const { userId } = await aUser();
    return { id: userId };
  }),
  "auth/reset-user-two-factor": plain("auth/reset-user-two-factor", async () => {
    const user = await aUser();
    await withTwoFactor(user);
    return { id: user.userId };
  }),
  "auth/setup-first-admin": {
    input: () => ({}),
    // Only a console without an administrator can be set up: the others step aside for this one call.
    arrange: async () => {
      const admins = await db.user.findMany({
        where: { role: { name: "SUPER_ADMIN" } },
        select: { id: true, roleId: true },
      });
      const aside = await db.role.create({ data: { id: randomUUID(), name: `aside ${randomUUID()}` } });
      const ids = admins.map(({ id }) => id);
      await db.user.updateMany({ where: { id: { in: ids } }, data: { roleId: aside.id } });
      const token = new URL(await newSetupLink(db, new Date())).searchParams.get("token") as string;
      const password = await sealedPassword("correct horse battery");
      return async () => {
        const answer = await send(operations["auth/setup-first-admin"], ANONYMOUS, {
          token,
          firstNames: "Grace",
          lastNames: "Hopper",
          email: `${randomUUID()}@example.test`,
          password,
        });
        await db.user.updateMany({ where: { id: { in: ids } }, data: { roleId: admins[0]?.roleId } });
        return answer;
      };
    },
  },
  "auth/update-password": plain(
    "auth/update-password",
    async () => {
      const { userId } = await aUser();
      const link = await newPasswordLink(db, { purpose: "recovery", userId, now: new Date() });
      return {
        token: new URL(link).searchParams.get("token") as string,
        password: await sealedPassword("correct horse battery"),
      };
    },
    () => ANONYMOUS,
  ),
  "auth/update-user": plain("auth/update-user", async () => ({ id: (await aUser()).userId, team: "Compilers" })),
  "auth/update-user-profile": plain("auth/update-user-profile", () => ({ firstNames: "Ada", lastNames: "King" })),
  "auth/validate-create-passkey": {
    input: () => ({}),
    arrange: async ({ admin }, owner = admin) => {
      const input = await passkeyCreation(owner);
      return (sender = owner) => send(operations["auth/validate-create-passkey"], sender, input);
    },
  },
  "auth/validate-login-with-passkey": {
    input: () => ({}),
    arrange: async ({ admin }, owner = ANONYMOUS) => {
      const { authenticator } = await aPasskey(admin);
      const input = await passkeyUse(authenticator);
      return (sender = owner) => send(operations["auth/validate-login-with-passkey"], sender, input);
    },
  },
  "auth/validate-two-factor": ofTwoFactor("auth/validate-two-factor"),
  "auth/validate-two-factor-enrollment": {
    input: () => ({}),
    arrange: async (_world, owner) => {
      const user = owner && isTestUser(owner) ? owner : await aUser({ admin: true });
      const secret = await withTwoFactor(user, { passed: true });
      await db.twoFactor.update({ where: { userId: user.userId }, data: { enabledAt: null } });
      return (sender = user) =>
        send(operations["auth/validate-two-factor-enrollment"], sender, { code: codeOf(secret) });
    },
  },
  "config/get-audit-logs": plain("config/get-audit-logs", () => ({})),
  "config/get-auth-providers": plain("config/get-auth-providers", () => ({})),
  "config/test-auth-provider": plain("config/test-auth-provider", async () => {
    await aProviderConfig("github", { baseUrl: "https://127.0.0.1" });
    return { provider: "github" };
  }),
  "config/update-auth-provider": plain("config/update-auth-provider", async () => {
    await aProviderConfig("google");
    return { provider: "google", enabled: true };
  }),
  "config/create-apple-config": plain("config/create-apple-config", async () => {
    await noProviderConfig("apple");
    return { clientId: "com.acme.sign-in", teamId: "TEAM123456", keyId: "KEY1234567", privateKey: anAppleKey() };
  }),
  "config/get-apple-config": plain("config/get-apple-config", async () => {
    await aProviderConfig("apple");
    return {};
  }),
  "config/update-apple-config": plain("config/update-apple-config", async () => {
    await aProviderConfig("apple");
    return { clientId: "another" };
  }),
  "config/create-azure-config": plain("config/create-azure-config", async () => {
    await noProviderConfig("azure");
    return { clientId: "1", clientSecret: CANARIES[2], authority: "https://login.microsoftonline.com/acme.com" };
  }),
  "config/get-azure-config": plain("config/get-azure-config", async () => {
    await aProviderConfig("azure");
    return {};
  }),
  "config/update-azure-config": plain("config/update-azure-config", async () => {
    await aProviderConfig("azure");
    return { clientId: "another" };
  }),
  "config/create-github-config": plain("config/create-github-config", async () => {
    await noProviderConfig("github");
    return { clientId: "1", clientSecret: CANARIES[2] };
  }),
  "config/get-github-config": plain("config/get-github-config", async () => {
    await aProviderConfig("github");
    return {};
  }),
  "config/update-github-config": plain("config/update-github-config", async () => {
    await aProviderConfig("github");
    return { clientId: "another" };
  }),
  "config/create-gitlab-config": plain("config/create-gitlab-config", async () => {
    await noProviderConfig("gitlab");
    return { clientId: "1", clientSecret: CANARIES[2] };
  }),
  "config/get-gitlab-config": plain("config/get-gitlab-config", async () => {
    await aProviderConfig("gitlab");
    return {};
  }),
  "config/update-gitlab-config": plain("config/update-gitlab-config", async () => {
    await aProviderConfig("gitlab");
    return { clientId: "another" };
  }),
  "config/create-google-config": plain("config/create-google-config", async () => {
    await noProviderConfig("google");
    return { clientId: "1", clientSecret: CANARIES[2] };
  }),
  "config/get-google-config": plain("config/get-google-config", async () => {
    await aProviderConfig("google");
    return {};
  }),
  "config/update-google-config": plain("config/update-google-config", async () => {
    await aProviderConfig("google");
    return { clientId: "another" };
  }),
  "config/create-api-token": plain("config/create-api-token", ({ app, environmentId }) => ({
    name: "CI",
    appId: app.appId,
    environmentId,
    identifiers: ["server"],
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
  })),
  "config/create-platform": plain("config/create-platform", async (world) => ({
    name: `Platform ${randomUUID()}`,
    logoFileId: await aPicture(world.admin),
    status: "active",
  })),
  "config/create-role": plain("config/create-role", () => ({ name: `Role ${randomUUID()}` })),
  "config/delete-api-token": plain("config/delete-api-token", async ({ app, environmentId }) => {
    const { tokenId } = await aToken({ appId: app.appId, environmentId });
    return { id: tokenId };
  }),
  "config/get-api-tokens": plain("config/get-api-tokens", () => ({})),
  "config/get-app-config": plain("config/get-app-config", () => ({})),
  "config/get-platform-by-id": plain("config/get-platform-by-id", () => ({ id: IOS_PLATFORM })),
  "config/get-platforms": plain("config/get-platforms", () => ({})),
  "config/get-public-key": plain("config/get-public-key", () => ({})),
  "config/get-roles": plain("config/get-roles", () => ({})),
  "config/update-app-config": plain("config/update-app-config", () => ({ name: "Slipway", description: "Ours" })),
  "config/update-platform": plain("config/update-platform", () => ({ id: IOS_PLATFORM, status: "active" })),
  "config/update-role": plain("config/update-role", async () => ({ id: await aRole(), name: `Role ${randomUUID()}` })),
  "files/abort-upload": ofUpload("files/abort-upload"),
  "files/complete-upload": ofUpload("files/complete-upload", async (uploadId, owner) => {
    const { body } = await sendPart(owner, uploadId, 1, Uint8Array.from(Buffer.from("12345")));
    return { parts: [{ number: 1, etag: body.etag }] };
  }),
  "files/create-upload": plain("files/create-upload", () => ({ name: "Example.apk", size: 1_000 })),
  "files/download-file": plain("files/download-file", async (world) => ({ id: await aPicture(world.admin) })),
  "files/get-upload": ofUpload("files/get-upload"),
  "files/upload-file": {
    input: () => ({}),
    arrange: async ({ admin }, owner = admin) => {
      const form = await pictureForm();
      return (sender = owner) => send(operations["files/upload-file"], sender, form);
    },
  },
  "files/upload-part": {
    input: () => ({ uploadId: randomUUID(), number: "1" }),
    arrange: async ({ admin }, owner = admin) => {
      const { uploadId } = await anUpload(owner, "Example.ipa", 5);
      return (sender = owner) => sendPart(sender, uploadId, 1, Uint8Array.from(Buffer.from("12345")));
    },
  },
  "permissions/create-role-permission": plain("permissions/create-role-permission", async ({ app, environmentId }) => ({
    roleId: await aRole(),
    scopes: ["release:download"],
    apps: [{ appId: app.appId, environmentIds: [environmentId] }],
  })),
  "permissions/delete-role-permission": plain("permissions/delete-role-permission", async (world) => ({
    id: await aPermission(world),
  })),
  "permissions/get-available-scopes": plain("permissions/get-available-scopes", () => ({})),
  "permissions/get-role-permissions": plain("permissions/get-role-permissions", () => ({})),
  "permissions/get-role-permissions-by-role-id": plain("permissions/get-role-permissions-by-role-id", async () => ({
    roleId: await aRole(),
  })),
  "permissions/update-role-permission": plain("permissions/update-role-permission", async (world) => ({
    id: await aPermission(world),
    scopes: ["release:create"],
  })),
};
