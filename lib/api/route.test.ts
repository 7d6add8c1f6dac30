import { describe, expect, it } from "vitest";
import { toResponse } from "@/lib/http/reply";
import { ApiError } from "@/lib/kernel/errors";
import { noRoute, plainRoute, requireOwnOrigin } from "./route";

process.env.DATABASE_URL = "postgresql://localhost/unused";

describe("a change that a cookie authorises", () => {
  const from = (headers: Record<string, string>) =>
    requireOwnOrigin(new Headers({ cookie: "slipway-session=x", host: "localhost:3000", ...headers }));

  it.each([
    ["a frame without an origin", { origin: "null" }],
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:3001" }],
    ["a name that begins like the console's", { origin: "http://localhost:3000.evil.example" }],
    ["a link of another site", { "sec-fetch-site": "cross-site" }],
    ["nobody knows where", {}],
  ])("is refused from %s", (_from, headers: Record<string, string>) => {
    expect(() => from(headers)).toThrow(expect.objectContaining({ code: "cross_origin" }));
  });

  it.each([
    ["a page of the console", { origin: "http://localhost:3000" }],
    ["its page under another of its addresses", { host: "10.0.0.7:3000", origin: "http://10.0.0.7:3000" }],
    ["its page, by the browser's own word", { "sec-fetch-site": "same-origin" }],
  ])("is taken from %s", (_from, headers: Record<string, string>) => {
    expect(() => from(headers)).not.toThrow();
  });
});

describe("a path that is no operation's", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("answers %s with a problem to read", async (method) => {
    const request = new Request("http://localhost/api/auth/get-nothing", {
      method,
      headers: { "accept-language": "de" },
      ...(method !== "GET" && { body: "x".repeat(1_000) }),
    });
    const answer = toResponse(await noRoute(request), request);
    const problem = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(problem).toMatchObject({ status: 404, code: "not_found", title: "Nicht gefunden" });
    expect(answer.headers.get("x-request-id")).toBe(problem.requestId);
  });
});

describe("a route that is no operation", () => {
  const handler = plainRoute((request) => {
    if (request.headers.has("x-broken")) throw new ApiError("not_authenticated");
    return {
      status: 200,
      headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
      body: '{"status":"live"}',
    };
  });
  const ask = async (method: string, headers: Record<string, string> = {}) => {
    const request = new Request("http://localhost/api/example", { method, headers });
    return toResponse(await handler(request), request);
  };

  it("answers like all others: with the request's id, and with nothing that a browser would run", async () => {
    for (const method of ["GET", "HEAD"] as const) {
      const answer = await ask(method);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(await answer.text()).toBe(method === "GET" ? '{"status":"live"}' : "");
    }
  });

  it("fails with a problem", async () => {
    const refused = await ask("GET", { "x-broken": "1" });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
  });
});
