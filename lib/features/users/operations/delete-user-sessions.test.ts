import { describe, expect, it } from "vitest";
import { createSession } from "@/lib/auth/sessions";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { aUser, auditCount, type Caller, cookieHeaders, send, type TestUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteUserSessions } from "./delete-user-sessions";
import { getUserSessions } from "./get-user-sessions";

setUpTestDatabase();

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

/** A further session of a user. */
async function another(user: TestUser, userAgent: string | null = PHONE): Promise<Caller & { sessionId: string }> {
  const session = await db.$transaction((tx) =>
    createSession(tx, { userId: user.userId, method: "passkey", now: new Date(), ip: "192.0.2.7", userAgent }),
  );
  return { sessionId: session.sessionId, headers: cookieHeaders(session.token) };
}

const status = async (caller: Caller) => (await send(getUserProfile, caller)).status;

describe("get-user-sessions", () => {
  it("returns a user's own sessions, newest first, and marks the current one", async () => {
    const user = await aUser();
    const phone = await another(user);
    await another(await aUser());
    const { body } = await send(getUserSessions, user);
    expect(body.items).toEqual([
      {
        id: phone.sessionId,
        current: false,
        method: "passkey",
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        ip: "192.0.2.7",
        client: { program: "Mobile Safari", system: "iOS" },
      },
      expect.objectContaining({ id: user.sessionId, current: true, client: { program: null, system: null } }),
    ]);
  });

  it("omits ended sessions", async () => {
    const user = await aUser();
    for (const field of ["expiresAt", "absoluteExpiresAt"]) {
      const { sessionId } = await another(user);
      await db.session.update({ where: { id: sessionId }, data: { [field]: new Date() } });
    }
    expect((await send(getUserSessions, user)).body.items).toHaveLength(1);
  });

  it("names a program that is no browser by its product name, and nothing if the User-Agent is malformed", async () => {
    const user = await aUser();
    await another(user, "curl/8.1");
    await another(user, "<script>alert(1)</script>");
    const { body } = await send(getUserSessions, user);
    expect(body.items.map(({ client }: { client: { program: string | null } }) => client.program)).toEqual([
      null,
      "curl",
      null,
    ]);
  });
});

describe("delete-user-sessions", () => {
  it("ends all other sessions, with one audit record", async () => {
    const user = await aUser();
    const others = [await another(user), await another(user)];
    const stranger = await aUser();
    const before = await auditCount();
    expect((await send(deleteUserSessions, user)).status).toBe(204);
    expect(await auditCount()).toBe(before + 1);
    expect(await Promise.all(others.map(status))).toEqual([401, 401]);
    expect([await status(user), await status(stranger)]).toEqual([200, 200]);
  });

  it("ends the given session, and clears the cookie if it is the current one", async () => {
    const user = await aUser();
    const [phone, tablet] = [await another(user), await another(user)];
    const answer = await send(deleteUserSessions, user, { id: phone.sessionId });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([204, null]);
    expect([await status(phone), await status(tablet), await status(user)]).toEqual([401, 200, 200]);
    const own = await send(deleteUserSessions, user, { id: user.sessionId });
    expect(own.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await status(user)).toBe(401);
  });

  it("does not end another user's session", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const before = await auditCount();
    const answer = await send(deleteUserSessions, user, { id: other.sessionId });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect(await auditCount()).toBe(before);
    expect(await status(other)).toBe(200);
  });
});
