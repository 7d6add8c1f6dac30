import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { logout } from "@/lib/features/auth/operations/logout";
import { refresh } from "@/lib/features/auth/operations/refresh";
import { getLogoutUrl } from "@/lib/features/sso/operations/get-logout-url";
import { getUsers } from "@/lib/features/users/operations/get-users";
import { operations } from "@/lib/operations";
import { anApp, aUser, send } from "@/lib/testing/console";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

it("a session that has not passed the second factor opens the step, its user's own profile, its refresh and the sign-out alone", () => {
  const open = Object.entries(operations).filter(([, { access }]) => access === "partial-session");
  expect(open.map(([path]) => path)).toEqual([
    "auth/get-logout-url",
    "auth/get-user-profile",
    "auth/logout",
    "auth/refresh",
    "auth/validate-two-factor",
  ]);
});

it("it is told who its user is, and nothing that the role reaches, until the factor is passed", async () => {
  const app = await anApp({ name: "Orbit", environments: [{ name: "Staging" }] });
  const apps = [{ appId: app.appId, environmentIds: app.environmentIds }];
  for (const user of [await aUser({ admin: true }), await aUser({ grants: [{ scopes: ["release:read"], apps }] })]) {
    await withTwoFactor(user);
    const { status, body } = await send(getUserProfile, user);
    expect([status, body.user.email, body.permissions]).toEqual([200, user.email, []]);
    expect(JSON.stringify(body)).not.toMatch(/Orbit|Staging/);
    await withTwoFactor(user, { passed: true });
    expect((await send(getUserProfile, user)).body.permissions).not.toEqual([]);
  }
});

it("it is refreshed to its absolute limit at most, and stays what it was", async () => {
  const user = await aUser({ admin: true });
  await withTwoFactor(user);
  const limit = new Date(Date.now() + 60_000);
  await db.session.update({ where: { id: user.sessionId }, data: { absoluteExpiresAt: limit } });
  const { status, body, headers } = await send(refresh, user);
  expect([status, body, headers.get("set-cookie")]).toEqual([200, { exp: Math.floor(limit.getTime() / 1000) }, null]);
  expect((await send(getUsers, user)).body.code).toBe("two_factor_required");
});

it("it can be ended, at the provider too", async () => {
  const user = await aUser();
  await withTwoFactor(user);
  expect((await send(getLogoutUrl, user)).body).toEqual({ url: null });
  expect((await send(logout, user)).status).toBe(204);
  expect((await send(getUserProfile, user)).body.code).toBe("session_expired");
});
