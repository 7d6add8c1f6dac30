import { expect, it } from "vitest";
import { expiredSessionCookie, sessionCookie } from "./actor";

process.env.DATABASE_URL = "postgresql://localhost/unused";
process.env.APP_URL = "https://slipway.example.com";

it("on HTTPS a session's cookie is bound to the host, and neither scripts, plain HTTP nor other sites get it", () => {
  const absoluteExpiresAt = new Date("2026-11-21T16:05:09Z");
  const bound = "; Path=/; HttpOnly; SameSite=Lax; Secure";
  expect(sessionCookie({ token: "abc", absoluteExpiresAt })).toBe(
    `__Host-slipway-session=abc${bound}; Expires=Sat, 21 Nov 2026 16:05:09 GMT`,
  );
  expect(expiredSessionCookie()).toBe(`__Host-slipway-session=${bound}; Max-Age=0`);
});
