import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { addTesterGroupMembers } from "@/lib/features/testers/operations/add-tester-group-members";
import { createTesterGroup } from "@/lib/features/testers/operations/create-tester-group";
import { anApp, aSession, aUser, auditCount, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteSessionsOfUser } from "./delete-sessions-of-user";
import { getEnvironmentUsers } from "./get-environment-users";
import { getSessionsOfUser } from "./get-sessions-of-user";
import { getUser } from "./get-user";

setUpTestDatabase();

const UNKNOWN = "019a0000-0000-7000-8000-00000000ffff";

describe("get-user", () => {
  it("returns a user with the groups of testers that the user belongs to", async () => {
    const admin = await aUser({ admin: true });
    const user = await aUser();
    const { appId, name } = await anApp();
    const { body: group } = await send(createTesterGroup, admin, { appId, name: "Field testers" });
    expect((await send(getUser, admin, { id: user.userId })).body.groups).toEqual([]);
    await send(addTesterGroupMembers, admin, { groupId: group.id, userIds: [user.userId] });
    const { status, body } = await send(getUser, admin, { id: user.userId });
    expect([status, body.id, body.groups]).toEqual([
      200,
      user.userId,
      [{ id: group.id, name: "Field testers", app: { id: appId, name } }],
    ]);
    expect((await send(getUser, admin, { id: UNKNOWN })).status).toBe(404);
  });
});

describe("the sessions of another user", () => {
  it("are listed for administrators, and end one by one or all at once", async () => {
    const admin = await aUser({ admin: true });
    const user = await aUser();
    const other = await aSession(user.userId);
    const { body } = await send(getSessionsOfUser, admin, { userId: user.userId });
    expect(body.items.map(({ id, current }: { id: string; current: boolean }) => ({ id, current }))).toEqual([
      { id: other.sessionId, current: false },
      { id: user.sessionId, current: false },
    ]);
    const before = await auditCount();
    const ended = await send(deleteSessionsOfUser, admin, { userId: user.userId, id: other.sessionId });
    expect(ended.status).toBe(204);
    expect(await auditCount()).toBe(before + 1);
    expect((await send(getUserProfile, user)).status).toBe(200);
    expect((await send(deleteSessionsOfUser, admin, { userId: user.userId })).status).toBe(204);
    expect((await send(getUserProfile, user)).status).toBe(401);
    expect((await send(getUserProfile, admin)).status).toBe(200);
  });

  it("are ended by the user that they belong to only: the ID of another's session is not found", async () => {
    const admin = await aUser({ admin: true });
    const [user, stranger] = [await aUser(), await aUser()];
    const input = { userId: user.userId, id: stranger.sessionId };
    expect((await send(deleteSessionsOfUser, admin, input)).status).toBe(404);
    expect((await send(getUserProfile, stranger)).status).toBe(200);
    expect((await send(deleteSessionsOfUser, admin, { userId: UNKNOWN })).status).toBe(404);
    expect((await send(getSessionsOfUser, admin, { userId: UNKNOWN })).status).toBe(404);
  });

  it("keep the administrator's own current session when all of the administrator's end", async () => {
    const admin = await aUser({ admin: true });
    await aSession(admin.userId);
    await send(deleteSessionsOfUser, admin, { userId: admin.userId });
    expect((await send(getUserProfile, admin)).status).toBe(200);
    expect(await db.session.count({ where: { userId: admin.userId } })).toBe(1);
  });
});

describe("get-environment-users", () => {
  it("lists who can see an environment, with what the role gives there and where it holds", async () => {
    const admin = await aUser({ admin: true });
    const { appId, environmentIds } = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
    const [environmentId, otherId] = environmentIds as [string, string];
    const here = await aUser({
      grants: [{ scopes: ["release:download"], apps: [{ appId, environmentIds: [environmentId] }] }],
    });
    const whole = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId }] }] });
    const everywhere = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    const elsewhere = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId, environmentIds: [otherId] }] }],
    });
    const off = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId }] }] });
    await db.user.update({ where: { id: off.userId }, data: { status: "inactive" } });

    const list = async () => {
      const { body } = await send(getEnvironmentUsers, admin, { environmentId, limit: 100 });
      return new Map(body.items.map((item: { id: string }) => [item.id, item]));
    };
    const users = await list();
    expect(users.get(here.userId)).toMatchObject({
      administers: false,
      scopes: ["release:read", "release:download"],
      sources: [{ place: "environment", scopes: ["release:read", "release:download"] }],
    });
    expect(users.get(whole.userId)).toMatchObject({ sources: [{ place: "app", scopes: ["release:read"] }] });
    expect(users.get(everywhere.userId)).toMatchObject({
      sources: [{ place: "everywhere", scopes: ["environment:read", "environment:write"] }],
    });
    expect(users.get(admin.userId)).toMatchObject({ administers: true, sources: [] });
    expect([elsewhere, off].map(({ userId }) => users.has(userId))).toEqual([false, false]);

    // Only who can activate it sees an inactive environment.
    await db.environment.update({ where: { id: environmentId }, data: { status: "inactive" } });
    const left = await list();
    expect([here, whole, everywhere, admin].map(({ userId }) => left.has(userId))).toEqual([false, false, true, true]);
  });

  it("is paged, and answers an unknown environment with not_found", async () => {
    const admin = await aUser({ admin: true });
    const { appId, environmentIds } = await anApp();
    const environmentId = environmentIds[0] as string;
    for (let count = 0; count < 3; count++) await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId }] }] });
    const ids = new Set<string>();
    let cursor: string | undefined;
    let total = 0;
    do {
      const { body } = await send(getEnvironmentUsers, admin, { environmentId, limit: 2, ...(cursor && { cursor }) });
      for (const { id } of body.items) ids.add(id);
      total = body.total;
      cursor = body.nextCursor ?? undefined;
    } while (cursor);
    expect(ids.size).toBe(total);
    expect(total).toBeGreaterThanOrEqual(4);
    expect((await send(getEnvironmentUsers, admin, { environmentId: UNKNOWN })).status).toBe(404);
  });
});
