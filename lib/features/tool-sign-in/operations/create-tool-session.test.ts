import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { logout } from "@/lib/features/auth/operations/logout";
import { deleteUserSessions } from "@/lib/features/users/operations/delete-user-sessions";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";
import { ANONYMOUS, aUser, auditCount, type Caller, send, sessionOf, type TestUser } from "@/lib/testing/console";
import { anAuthorizedTool, aToolRequest, aTypedCode } from "@/lib/testing/tool-sign-in";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { authorizeTool } from "./authorize-tool";
import { createToolSession } from "./create-tool-session";
import { getToolSignIn } from "./get-tool-sign-in";

setUpTestDatabase();

let person: TestUser;
beforeAll(async () => {
  person = await aUser();
});

const exchange = (input: object) => send(createToolSession, ANONYMOUS, { ...input });

/** The bearer of the session that an answer began. */
function bearerOf(headers: Headers): Caller {
  const token = sessionOf(headers).headers.cookie?.split("=")[1];
  return { headers: { authorization: `Bearer ${token}` } };
}

describe("the code of a command-line tool", () => {
  it("begins a session of the person who let it sign in, which acts as a bearer token", async () => {
    const { status, headers, body } = await exchange(await anAuthorizedTool(person));
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { email: person.email }, twoFactorRequired: false });
    const profile = await send(getUserProfile, bearerOf(headers), {});
    expect(profile.body.user.email).toBe(person.email);
  });

  it("works once", async () => {
    const input = await anAuthorizedTool(person);
    expect((await exchange(input)).status).toBe(200);
    const again = await exchange(input);
    expect([again.status, again.body.code]).toEqual([401, "invalid_token"]);
  });

  it("works once where it is presented many times at once", async () => {
    const input = await anAuthorizedTool(person);
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await exchange(input)).status));
    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it("works for a minute", async () => {
    const input = await anAuthorizedTool(person);
    const { createdAt, expiresAt } = await db.oneTimeToken.findFirstOrThrow({
      where: { purpose: "tool" },
      orderBy: { id: "desc" },
    });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(60_000);
    await db.oneTimeToken.updateMany({ where: { purpose: "tool" }, data: { expiresAt: new Date() } });
    expect((await exchange(input)).status).toBe(401);
  });

  it("does not work with another verifier, nor for another address, and stays valid for its own tool", async () => {
    const input = await anAuthorizedTool(person);
    expect((await exchange({ ...input, codeVerifier: aToolRequest().codeVerifier })).status).toBe(401);
    expect((await exchange({ ...input, redirectUri: "http://127.0.0.1:49153/callback" })).status).toBe(401);
    expect((await exchange(input)).status).toBe(200);
  });

  it("does not work after the person has signed out", async () => {
    const leaving = await aUser();
    const input = await anAuthorizedTool(leaving);
    expect((await send(logout, leaving, {})).status).toBe(204);
    expect((await exchange(input)).status).toBe(401);
  });

  it("does not work after the person was switched off", async () => {
    const gone = await aUser();
    const input = await anAuthorizedTool(gone);
    await db.user.update({ where: { id: gone.userId }, data: { status: "inactive" } });
    expect((await exchange(input)).status).toBe(401);
  });

  it("is not stored and not in the audit log", async () => {
    const { code } = await anAuthorizedTool(person);
    const records = await db.auditRecord.findMany({
      where: { action: "authorize-tool" },
      select: { changes: true, recordId: true },
    });
    expect(records.length).toBeGreaterThan(0);
    expect(JSON.stringify(records)).not.toContain(code);
    expect(JSON.stringify(records)).toContain("build-7.local");
  });
});

describe("the code that a person types into a tool on another machine", () => {
  it("begins a session, also typed in small letters and without its hyphen", async () => {
    const { code, codeVerifier } = await aTypedCode(person);
    expect(code).toMatch(/^[A-HJ-KM-NP-TV-Z2-9]{4}-[A-HJ-KM-NP-TV-Z2-9]{4}$/);
    const { status, body } = await exchange({ code: ` ${code.toLowerCase().replace("-", "")} `, codeVerifier });
    expect([status, body.user?.email]).toEqual([200, person.email]);
    expect((await exchange({ code, codeVerifier })).status).toBe(401);
  });

  it("works for ten minutes", async () => {
    await aTypedCode(person);
    const { createdAt, expiresAt } = await db.oneTimeToken.findFirstOrThrow({
      where: { purpose: "tool-code" },
      orderBy: { id: "desc" },
    });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(600_000);
  });

  it("is worth nothing without the secret of the tool, or where an address is named", async () => {
    const { code, codeVerifier } = await aTypedCode(person);
    expect((await exchange({ code, codeVerifier: aToolRequest().codeVerifier })).status).toBe(401);
    const { redirectUri } = aToolRequest().input;
    expect((await exchange({ code, codeVerifier, redirectUri })).status).toBe(401);
    expect((await exchange({ code, codeVerifier })).status).toBe(200);
  });

  it("is not shown to a session that has not passed the second factor lately", async () => {
    const careful = await aUser();
    await withTwoFactor(careful, { passed: true });
    const earlier = new Date(Date.now() - 3_600_000);
    await db.session.updateMany({
      where: { userId: careful.userId },
      data: { secondFactorAt: earlier, secondFactorConfirmedAt: earlier },
    });
    await expect(aTypedCode(careful)).rejects.toThrow("two_factor_required");
  });
});

describe("the session of a command-line tool", () => {
  it("knows of the second factor what the session of the browser knew", async () => {
    const careful = await aUser();
    await withTwoFactor(careful, { passed: true });
    const earlier = new Date(Date.now() - 600_000);
    await db.session.updateMany({
      where: { userId: careful.userId },
      data: { secondFactorAt: earlier, secondFactorConfirmedAt: earlier },
    });
    const { body } = await exchange(await anAuthorizedTool(careful));
    expect(body.twoFactorRequired).toBe(false);
    const session = await db.session.findFirstOrThrow({ where: { userId: careful.userId }, orderBy: { id: "desc" } });
    expect(session).toMatchObject({ secondFactorAt: earlier, secondFactorConfirmedAt: earlier });
  });

  it("ends with the session that let it sign in, and those that it lets sign in do too", async () => {
    const brief = await aUser();
    const absoluteExpiresAt = new Date(Date.now() + 600_000);
    await db.session.update({ where: { id: brief.sessionId }, data: { absoluteExpiresAt } });
    let caller: Caller = brief;
    for (const _ of ["tool", "tool of the tool"]) {
      const { status, headers, body } = await exchange(await anAuthorizedTool(caller));
      expect([status, body.exp]).toEqual([200, Math.floor(absoluteExpiresAt.getTime() / 1000)]);
      caller = bearerOf(headers);
    }
    const sessions = await db.session.findMany({ where: { userId: brief.userId } });
    expect(sessions.map((session) => session.absoluteExpiresAt)).toEqual([1, 2, 3].map(() => absoluteExpiresAt));
  });

  it("is in the person's list of sessions, where they end it", async () => {
    const { headers } = await exchange(await anAuthorizedTool(person));
    const newest = await db.session.findFirstOrThrow({ where: { userId: person.userId }, orderBy: { id: "desc" } });
    const { body } = await send(getUserSessions, person, {});
    expect(body.items.map(({ id }: { id: string }) => id)).toContain(newest.id);
    expect((await send(deleteUserSessions, person, { id: newest.id })).status).toBe(204);
    expect((await send(getUserProfile, bearerOf(headers), {})).status).toBe(401);
  });
});

describe("the request of a command-line tool", () => {
  it.each([
    "https://127.0.0.1:49152/callback",
    "http://localhost:49152/callback",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:49152@evil.example/",
    "http://evil.example:49152/callback",
    "/home",
  ])("is refused for the address %s", async (redirectUri) => {
    const before = await auditCount();
    const { input } = aToolRequest(redirectUri);
    for (const operation of [getToolSignIn, authorizeTool]) {
      const { status, body } = await send(operation, person, input);
      expect([status, body.errors?.[0]?.path]).toEqual([422, "redirectUri"]);
    }
    expect(await auditCount()).toBe(before);
  });

  it("is authorized by a page of the console only", async () => {
    const { cookie } = person.headers;
    const foreign = { headers: { cookie: cookie as string, origin: "https://evil.example" } };
    const { status, body } = await send(authorizeTool, foreign, aToolRequest().input);
    expect([status, body.code]).toEqual([403, "cross_origin"]);
  });

  it("shows who would sign in, from where, and where the code goes", async () => {
    const { input } = aToolRequest();
    const { body } = await send(getToolSignIn, person, input);
    expect(body).toEqual({
      email: person.email,
      address: expect.toSatisfy((value) => value === null || typeof value === "string"),
      receiver: "127.0.0.1:49152",
      denyUrl: `${input.redirectUri}?error=access_denied&state=${input.state}`,
    });
  });
});
