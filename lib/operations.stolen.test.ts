import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { type Answer, anApp, aUser, requestedMails, send, type TestUser } from "@/lib/testing/console";
import { aPasskey, passkeyCreation } from "@/lib/testing/passkeys";
import { aPushEndpoint } from "@/lib/testing/push";
import { aShareLink } from "@/lib/testing/share-links";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { aToolRequest } from "@/lib/testing/tool-sign-in";
import { codeOf, withTwoFactor, wrongCode } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

// What somebody can do with the session of an administrator, whose second factor they do not have.

setUpTestDatabase();

const SECRET_VALUE = "the value of a secure variable";

interface Owner {
  admin: TestUser;
  appId: string;
  environmentId: string;
  variableId: string;
  /** Of the environment, without a member. */
  groupId: string;
  /** Of the environment. */
  linkId: string;
  /** A passkey of the owner's. */
  passkeyId: string | null;
  /** The secret of the owner's authenticator app. */
  secret: string | null;
}

/** Sets when the session has passed its second factor and proved it last, in minutes before now. */
async function provedAgo({ sessionId }: TestUser, passed: number | null, confirmed: number | null): Promise<void> {
  const ago = (minutes: number | null) => (minutes === null ? null : new Date(Date.now() - minutes * 60_000));
  const data = { secondFactorAt: ago(passed), secondFactorConfirmedAt: ago(confirmed) };
  await db.session.update({ where: { id: sessionId }, data });
}

async function anOwner(factor: "app" | "passkey"): Promise<Owner> {
  const admin = await aUser({ admin: true });
  const { appId, environmentIds } = await anApp();
  const environmentId = environmentIds[0] as string;
  await provedAgo(admin, 0, 0);
  const input = { environmentId, name: "API key", key: "API_KEY", value: SECRET_VALUE };
  const { body } = await send(operations["apps/create-secure-variable"], await aKeeper(), input);
  const linkId = (await aShareLink(await aKeeper(), { environmentId })).id;
  const groupId = (await aTesterGroup(await aKeeper(), { appId, environmentIds: [environmentId] })).id;
  const secret = factor === "app" ? await withTwoFactor(admin, { passed: true }) : null;
  const passkeyId = factor === "passkey" ? (await aPasskey(admin)).id : null;
  return { admin, appId, environmentId, variableId: body.id, linkId, groupId, passkeyId, secret };
}

/** Somebody who stores secrets. */
async function aKeeper(): Promise<TestUser> {
  const keeper = await aUser({ admin: true });
  await withTwoFactor(keeper, { passed: true });
  return keeper;
}

/** Every call that adds, removes or replaces a factor, reads a secret or gives access that outlives the session. */
async function attempts({ admin, appId, environmentId, variableId, linkId, groupId, passkeyId }: Owner) {
  const colleague = await aUser();
  await withTwoFactor(colleague);
  const creation = await passkeyCreation(admin, new SoftwareAuthenticator());
  const { roleId } = admin;
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const emails = ["eve@example.test"];
  const names = { firstNames: "Eve", lastNames: "Evans", provider: "email" as const };
  const call = (key: keyof typeof operations, input: Record<string, unknown>) =>
    [key, () => send(operations[key], admin, input)] as [string, () => Promise<Answer>];
  return [
    call("auth/create-passkey", {}),
    call("auth/validate-create-passkey", creation),
    ...(passkeyId ? [call("auth/delete-user-passkey", { id: passkeyId })] : []),
    call("auth/enroll-two-factor", {}),
    call("auth/validate-two-factor-enrollment", { code: "123456" }),
    call("auth/reset-user-two-factor", { id: colleague.userId }),
    call("auth/register-user", { ...names, email: "eve@example.test", roleId }),
    call("auth/invite-users", { emails: ["eve@example.test"], roleId }),
    call("auth/update-user", { id: colleague.userId, roleId }),
    call("auth/resend-invitation", { id: colleague.userId }),
    call("config/create-gitlab-config", { clientId: "eve", clientSecret: "eve", baseUrl: "https://gitlab.example" }),
    call("config/update-gitlab-config", { clientSecret: "eve", baseUrl: "https://gitlab.example" }),
    call("apps/create-release-feed", {}),
    call("expiry/create-calendar-feed", {}),
    call("share-links/create-share-link", { environmentId, name: "Eve" }),
    call("share-links/update-share-link", { id: linkId, password: null, expiresAt: null }),
    call("testers/create-tester-group", { appId, environmentIds: [environmentId], name: "Eve", emails }),
    call("testers/add-tester-group-members", { groupId, emails }),
    call("testers/import-tester-group-members", { groupId, csv: "eve@example.test" }),
    call("testers/update-tester-group", { id: groupId, environmentIds: null }),
    call("testers/create-push-subscription", aPushEndpoint()),
    call("webhooks/create-webhook", { name: "Eve", url: "https://eve.example/hook", events: ["release.published"] }),
    call("auth/authorize-tool", aToolRequest().input),
    call("config/create-api-token", { name: "Eve", appId, environmentId, identifiers: ["server"], validUntil }),
    call("apps/get-secure-variable", { id: variableId }),
    call("apps/export-variables", { environmentId, kind: "secure-variable", format: "dotenv" }),
  ];
}

/** What each attempt is answered. */
async function outcomes(owner: Owner): Promise<[string, string][]> {
  const seen: [string, string][] = [];
  for (const [key, run] of await attempts(owner)) {
    const { status, body } = await run();
    expect(JSON.stringify(body ?? null)).not.toContain(SECRET_VALUE);
    seen.push([key, status < 400 ? "served" : body.code]);
  }
  return seen;
}

const STALE = [
  ["whose last proof is 16 minutes past", 16, 16],
  ["that was signed in with a recovery code", 0, null],
] as const;

describe.each(["app", "passkey"] as const)("a stolen session of somebody with a factor (%s)", (factor) => {
  it.each(STALE)(
    "%s neither changes a factor, nor reads a secret, nor gives lasting access",
    async (_, at, confirmed) => {
      const owner = await anOwner(factor);
      await provedAgo(owner.admin, at, confirmed);
      const seen = await outcomes(owner);
      expect(seen).toEqual(seen.map(([key]) => [key, "two_factor_required"]));
      expect(await db.passkey.count({ where: { userId: owner.admin.userId } })).toBe(factor === "passkey" ? 1 : 0);
    },
  );

  it("within 15 minutes of a proof adds a passkey, of which the owner is told by mail", async () => {
    const { admin } = await anOwner(factor);
    await provedAgo(admin, 14, 14);
    const creation = await passkeyCreation(admin, new SoftwareAuthenticator());
    expect((await send(operations["auth/validate-create-passkey"], admin, creation)).status).toBe(201);
    expect(await requestedMails(admin.userId)).toContainEqual(expect.objectContaining({ purpose: "passkey-added" }));
  });
});

it("a session that has signed in without the owner's passkey changes no factor and reads no secret", async () => {
  const owner = await anOwner("passkey");
  await provedAgo(owner.admin, null, null);
  for (const [key, outcome] of await outcomes(owner)) {
    const isReveal = key === "apps/get-secure-variable" || key === "apps/export-variables";
    expect([key, outcome]).toEqual([key, isReveal ? "two_factor_enrollment_required" : "two_factor_required"]);
  }
});

it("replacing the recovery codes and turning the app off take a code of the app, also just after a proof", async () => {
  const { admin, secret } = await anOwner("app");
  const code = wrongCode(secret as string);
  for (const key of ["auth/create-recovery-codes", "auth/delete-two-factor"] as const) {
    expect((await send(operations[key], admin, { code })).body.code).toBe("invalid_otp");
  }
  const right = { code: codeOf(secret as string) };
  expect((await send(operations["auth/create-recovery-codes"], admin, right)).status).toBe(201);
});

it("a session of somebody without a factor adds the first passkey; the next one takes a proof", async () => {
  const admin = await aUser({ admin: true });
  expect((await send(operations["auth/create-passkey"], admin)).status).toBe(200);
  const first = await passkeyCreation(admin, new SoftwareAuthenticator());
  expect((await send(operations["auth/validate-create-passkey"], admin, first)).status).toBe(201);
  const refused = await send(operations["auth/create-passkey"], admin);
  expect([refused.status, refused.body.code]).toEqual([403, "two_factor_required"]);
});
