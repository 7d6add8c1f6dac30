import { describe, expect, it } from "vitest";
import { enrollTwoFactor } from "@/lib/features/two-factor/operations/enroll-two-factor";
import { toResponse } from "@/lib/http/reply";
import { requireOwnOrigin, route } from "./route";

process.env.DATABASE_URL = "postgresql://localhost/unused";
process.env.APP_URL = "https://slipway.example.com";

const COOKIE = "__Host-slipway-session=x";

describe("a change that a cookie authorises, on a console on HTTPS", () => {
  const from = (headers: Record<string, string>) =>
    requireOwnOrigin(new Headers({ cookie: COOKIE, host: "slipway.example.com", ...headers }));

  it.each([
    ["a page on plain HTTP of the same host", { origin: "http://slipway.example.com" }],
    ["a page on plain HTTP of another of its addresses", { host: "10.0.0.7:3000", origin: "http://10.0.0.7:3000" }],
    ["another port", { origin: "https://slipway.example.com:8443" }],
    ["another scheme", { origin: "ws://slipway.example.com" }],
  ])("is refused from %s", (_from, headers) => {
    expect(() => from(headers)).toThrow(expect.objectContaining({ code: "cross_origin" }));
  });

  it.each([
    ["a page of the console", { origin: "https://slipway.example.com" }],
    [
      "its page under another of its addresses",
      { host: "slipway.internal:8443", origin: "https://slipway.internal:8443" },
    ],
    ["its page, by the browser's own word", { "sec-fetch-site": "same-origin" }],
  ])("is taken from %s", (_from, headers) => {
    expect(() => from(headers)).not.toThrow();
  });

  it("is refused from elsewhere without a body too, which browsers send without asking first", async () => {
    for (const origin of ["http://slipway.example.com", "https://evil.example", "null"]) {
      const request = new Request("https://slipway.example.com/api/auth/enroll-two-factor", {
        method: "POST",
        headers: { cookie: COOKIE, host: "slipway.example.com", "content-type": "text/plain", origin },
      });
      const answer = toResponse(await route(enrollTwoFactor)(request), request);
      expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ code: "cross_origin" })]);
    }
  });
});
