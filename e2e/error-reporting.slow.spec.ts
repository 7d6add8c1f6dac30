import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { Client } from "pg";
import { type Deployment, startDeployment } from "../testing/deployment";
import { ADMIN } from "../testing/environment.ts";
import { settled } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";
import { AppsPage } from "./pages/apps-page";
import { SignInPage } from "./pages/sign-in-page";

test.describe.configure({ mode: "serial" });
test.use({ signedIn: false });

/** What the recording endpoint received of Sentry's envelope protocol. */
const envelopes: string[] = [];
let endpoint: Server;
let deployment: Deployment;

test.beforeAll(async () => {
  endpoint = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.method === "POST" && request.url?.startsWith("/api/1/envelope/")) {
      envelopes.push((request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString("utf8"));
    }
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "*");
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const { port } = endpoint.address() as AddressInfo;
  deployment = await startDeployment("server-errors", {
    settings: { SENTRY_DSN: `http://0123456789abcdef0123456789abcdef@127.0.0.1:${port}/1` },
  });
});

test.afterAll(async () => {
  await deployment?.stop();
  endpoint?.close();
});

const received = () => envelopes.join("\n");

test("reports errors of the browser and the server with traces and a masked replay, and nothing else leaves", async ({
  page,
  problems,
}) => {
  problems.expect(/canary|500|An error occurred/);
  const { headers } = await fetch(deployment.url);
  expect(headers.get("content-security-policy")).toContain(`connect-src 'self' http://127.0.0.1:`);

  await page.goto(deployment.url);
  await new SignInPage(page).signIn(ADMIN);
  await page.waitForURL("**/admin-dashboard");
  await settled(page);
  await page.goto(`${deployment.url}/admin-apps?search=canary-search`);
  const apps = new AppsPage(page);
  await apps.create.click();
  await apps.name.fill("canary-typed-text");
  await apps.identifier.fill("com.example.canarytyped");
  await page.evaluate((email) => {
    setTimeout(() => {
      throw new Error(`canary-error for ${email} with Bearer canarytoken123 at https://a.example/?token=canary-token`);
    });
  }, ADMIN.email);
  await expect.poll(received).toContain("canary-error for [e-mail]");

  // An operation that fails on the server, as nothing that a caller sends can make it fail.
  const database = new Client({ connectionString: deployment.databaseUrl });
  await database.connect();
  await database.query('ALTER TABLE "Platform" RENAME TO "Elsewhere"');
  const status = await page.evaluate(async () => {
    const answer = await fetch("/api/config/get-platforms?search=canary-search");
    // A response whose body nobody reads does not end.
    await answer.text();
    return answer.status;
  });
  await database.query('ALTER TABLE "Elsewhere" RENAME TO "Platform"');
  await database.end();
  expect(status).toBe(500);
  await expect.poll(received).toMatch(/Elsewhere|Platform/);

  await expect.poll(received).toContain('"type":"transaction"');
  await expect.poll(received).toContain('"type":"replay_recording"');
  const all = received();
  const cookies = await page.context().cookies();
  const secrets = [
    ADMIN.email,
    ADMIN.password,
    "canarytoken123",
    "canary-token",
    "canary-typed-text",
    "com.example.canarytyped",
    "canary-search",
    "127.0.0.1:5",
    ...cookies.filter(({ httpOnly }) => httpOnly).map(({ value }) => value),
  ];
  for (const secret of secrets) expect(all.includes(secret), secret).toBe(false);
  expect(all).not.toMatch(/"ip_address":"(?!\[|\{\{auto)/);
});

test("loads nothing for it with the first page, and nothing at all without a DSN", async ({ page, baseURL }) => {
  const reports: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/envelope/")) reports.push(request.url());
  });
  await page.goto(baseURL as string);
  await page.waitForLoadState("networkidle");
  expect(reports).toEqual([]);
  const { headers } = await fetch(baseURL as string);
  expect(headers.get("content-security-policy")).toContain("connect-src 'self';");
  const first = await (await fetch(deployment.url)).text();
  const firstScripts = [...first.matchAll(/src="(\/_next\/static\/[^"]+\.js)"/g)].map(([, path]) => path as string);
  expect(firstScripts.length).toBeGreaterThan(3);
  for (const path of firstScripts) {
    expect(await (await fetch(`${deployment.url}${path}`)).text(), path).not.toContain("replay_recording");
  }
});
