import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { MAX_RENDERED_PER_CALLER, MAX_WAITING_PER_CALLER } from "@/lib/http/server/render-turns";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { aUser, cookieHeaders } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { pageListener } from "./page-listener";

setUpTestDatabase();

const WITHOUT_TIMEOUT = { callerTimeoutMs: 600_000 };

/** Stands in for Next: records the requests that it receives, and answers them when the test says so. */
let rendering: { request: IncomingMessage; response: ServerResponse }[] = [];
let answersAtOnce = true;
const onPage = new EventTarget();

const server = createServer((request, response) => {
  request.headers["x-slipway-remote-address"] = "192.0.2.77";
  const render = () => {
    rendering.push({ request, response });
    onPage.dispatchEvent(new Event("page"));
    if (answersAtOnce) response.end("a page");
  };
  if (!listener(request, response, render)) render();
});
let listener = pageListener(WITHOUT_TIMEOUT);
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close().closeAllConnections());
beforeEach(() => {
  listener = pageListener(WITHOUT_TIMEOUT);
  rendering = [];
  answersAtOnce = true;
});

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { redirect: "manual", headers: { "accept-language": "de", ...headers } });

/** Waits until a number of pages is being rendered. */
async function untilRendering(count: number): Promise<void> {
  while (rendering.length < count) {
    await new Promise((resolve) => onPage.addEventListener("page", resolve, { once: true }));
  }
}

it.each(["Bearer x", "Basic YTpi", "x", ""])("a page does not see the credentials %j", async (authorization) => {
  expect((await open(PAGES.signIn, { authorization })).status).toBe(200);
  expect(rendering.at(-1)?.request.headers).not.toHaveProperty("authorization");
  expect((await open(PAGES.home, { authorization })).status).toBe(307);
});

describe("a request without a session", () => {
  const ended = () => cookieHeaders("a".repeat(43));

  it.each([
    ["no session", () => ({})],
    ["one that has ended", ended],
  ])("with %s gets the not-found page in its language, without rendering", async (_, headers) => {
    for (const path of ["/nothing", "/home/x", "/_next/nothing", "/nothing.zip", "/%zz"]) {
      const response = await open(path, headers());
      const body = await response.text();
      expect([path, response.status, rendering]).toEqual([path, 404, []]);
      expect(body).toContain(`<html lang="de">`);
      expect(body).toContain((messagesFor("de") as { shell: { notFound: { title: string } } }).shell.notFound.title);
      expect(body.length).toBeLessThan(2_000);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });

  it("is redirected to the sign-in, which keeps the wanted page, without rendering", async () => {
    const query = `?${"a=b&".repeat(300)}c=%C3%A4`;
    for (const path of [PAGES.home, PAGES.adminUsers, PAGES.authorizeTool]) {
      const response = await open(path + query, ended());
      expect([response.status, rendering]).toEqual([307, []]);
      const target = new URL(response.headers.get("location") as string, url);
      expect([target.pathname, target.searchParams.get("next")]).toEqual(["/", path + query]);
    }
  });

  it("gets the public pages, the web app manifest, files and redirects of slashes from Next", async () => {
    const paths = [
      "/",
      "/setup",
      "/trust",
      "/docs",
      "/docs/ci",
      "/api/docs",
      "/manifest.webmanifest",
      "/authorize-tool?result=done",
      "/home/",
      "//x",
    ];
    for (const path of paths) expect(await (await open(path)).text()).toBe("a page");
    expect(rendering).toHaveLength(paths.length);
  });

  it("gets what Next's router asks for in the form of Next", async () => {
    expect(await (await open("/home", { rsc: "1" })).text()).toBe("a page");
  });
});

it("a request with a session gets every page from Next, also one that there is not", async () => {
  const { headers } = await aUser();
  for (const path of ["/home", "/nothing"]) expect(await (await open(path, headers)).text()).toBe("a page");
});

it("a path on which Next fails is answered with the not-found page, also with a session and to Next's router", async () => {
  const { headers } = await aUser();
  for (const path of [
    "/docs/%E0%A4%A",
    "/docs/%zz",
    "/_next/static/%",
    "/%zz",
    "/_global-error",
    "/_error",
    "/_not-found",
  ]) {
    for (const more of [{}, headers, { ...headers, rsc: "1" }, { ...headers, "x-nextjs-data": "1" }]) {
      const response = await open(path, more as Record<string, string>);
      expect([path, response.status, rendering]).toEqual([path, 404, []]);
    }
  }
});

it("a caller has a few pages rendered at a time, waits for the others, and delays no other caller", async () => {
  answersAtOnce = false;
  const [busy, other] = [await aUser(), await aUser()];
  const pages = Array.from({ length: MAX_RENDERED_PER_CALLER + 1 }, () => open("/home", busy.headers));
  await untilRendering(MAX_RENDERED_PER_CALLER);
  const theirs = open("/home", other.headers);
  await untilRendering(MAX_RENDERED_PER_CALLER + 1);
  rendering.at(-1)?.response.end("theirs");
  expect(await (await theirs).text()).toBe("theirs");
  rendering[0]?.response.end("first");
  await untilRendering(MAX_RENDERED_PER_CALLER + 2);
  for (const { response } of rendering) response.end("a page");
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 200));
});

it("a caller of whom too many requests wait gets a small 429, and others their pages", async () => {
  answersAtOnce = false;
  const count = MAX_RENDERED_PER_CALLER + MAX_WAITING_PER_CALLER;
  const controller = new AbortController();
  const refused = Promise.withResolvers<Response>();
  const { headers } = await aUser();
  for (let page = 0; page <= count; page++) {
    fetch(`${url}/home`, { headers, signal: controller.signal }).then(
      (response) => response.status === 429 && refused.resolve(response),
      () => {},
    );
  }
  const response = await refused.promise;
  expect(response.headers.get("retry-after")).toBe("5");
  expect((await response.text()).length).toBeLessThan(2_000);
  const theirs = open("/setup");
  await untilRendering(MAX_RENDERED_PER_CALLER + 1);
  rendering.at(-1)?.response.end("theirs");
  expect(await (await theirs).text()).toBe("theirs");
  controller.abort();
  expect(await db.user.count()).toBeGreaterThan(0);
});
