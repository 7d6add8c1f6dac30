import { afterEach, expect, it, vi } from "vitest";
import { ApiCallError, command, download, query } from "./client";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An answer whose connection is lost after its headers and a part of its body. */
function lostAnswer(): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id":'));
    },
    pull(controller) {
      controller.error(new TypeError("network error"));
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
}

const RELEASE = { id: "00000000-0000-4000-8000-000000000000" };

it.each([
  ["query", () => query("apps/get-testing-deploy-by-id", RELEASE), "apps/get-testing-deploy-by-id"],
  ["command", () => command("apps/retry-universal-apk", RELEASE), "apps/retry-universal-apk"],
  ["download", () => download("apps/get-testing-deploy-by-id", RELEASE), "apps/get-testing-deploy-by-id"],
] as const)(
  "a %s whose answer is lost in the middle fails like one without a connection",
  async (_, call, operation) => {
    vi.stubGlobal("fetch", async () => lostAnswer());
    const error = await call().catch((cause) => cause);
    expect(error).toBeInstanceOf(ApiCallError);
    expect(error).toMatchObject({ problem: { code: "network", status: 0 }, operation });
  },
);

it("an answer that is not JSON is unexpected", async () => {
  vi.stubGlobal("fetch", async () => new Response("<html>", { headers: { "Content-Type": "text/html" } }));
  await expect(query("apps/get-testing-deploy-by-id", RELEASE)).rejects.toMatchObject({
    problem: { code: "unexpected", status: 200 },
  });
});

it("a refusal that is no document of the console is that of a proxy", async () => {
  vi.stubGlobal("fetch", async () => new Response("<h1>413 Request Entity Too Large</h1>", { status: 413 }));
  await expect(command("auth/logout", {})).rejects.toMatchObject({ problem: { code: "proxy", status: 413 } });
});

it("a query that was aborted while its answer arrived fails as aborted", async () => {
  const controller = new AbortController();
  vi.stubGlobal("fetch", async () => {
    controller.abort();
    return lostAnswer();
  });
  const error = await query("apps/get-testing-deploy-by-id", RELEASE, controller).catch((cause) => cause);
  expect(error).not.toBeInstanceOf(ApiCallError);
});
