import { describe, expect, it } from "vitest";
import { noRoute } from "./route";

describe("a path that is no operation's", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("answers %s with a problem to read", async (method) => {
    const request = new Request("http://localhost/api/auth/get-nothing", {
      method,
      headers: { "accept-language": "de" },
      ...(method !== "GET" && { body: "x".repeat(1_000) }),
    });
    const answer = await noRoute[method](request);
    const problem = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(problem).toMatchObject({ status: 404, code: "not_found", title: "Nicht gefunden" });
    expect(answer.headers.get("x-request-id")).toBe(problem.requestId);
  });
});
