import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { logout } from "@/lib/features/auth/operations/logout";
import { aUser, type Caller, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

const bearer = (token: string): Caller => ({ headers: { authorization: `Bearer ${token}` } });

describe("a command-line tool", () => {
  it("calls with its session as bearer, without a cookie or an origin, until the session ends", async () => {
    const user = await aUser();
    const tool = bearer(user.headers.cookie?.split("=")[1] as string);
    const profile = await send(getUserProfile, tool);
    expect([profile.status, profile.body.user.id]).toEqual([200, user.userId]);
    expect((await send(logout, tool)).status).toBe(204);
    expect((await send(getUserProfile, tool)).body.code).toBe("session_expired");
  });

  it("is refused with a bearer token that is neither a session nor an API token", async () => {
    const unknown = await send(getUserProfile, bearer(randomBytes(32).toString("base64url")));
    expect([unknown.status, unknown.body.code]).toEqual([401, "session_expired"]);
    for (const token of ["x", "slw_x", `slw_${randomBytes(32).toString("base64url")}`]) {
      expect((await send(getUserProfile, bearer(token))).body.code).toBe("invalid_token");
    }
  });
});
