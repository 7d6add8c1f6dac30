import { randomBytes } from "node:crypto";
import { type Deployment, startDeployment } from "../testing/deployment";
import { slowUnless } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";

test.describe.configure({ mode: "serial" });
test.use({ signedIn: false });

let deployment: Deployment;

test.beforeAll(async () => {
  deployment = await startDeployment("server-start");
});

test.afterAll(() => deployment?.stop());

test("an instance that starts without its database is live but not ready, says what it waits for, and then serves", async () => {
  const [server] = deployment.servers;
  if (!server) throw new Error("there is no server");
  await server.stop();
  await deployment.postgres.kill();
  const started = deployment.restart(0);
  const statusOf = (path: string) =>
    fetch(server.url + path, { redirect: "manual" }).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(() => statusOf("/api/health/live"), { timeout: 30_000 }).toBe(200);
  expect(await statusOf("/api/health/ready")).toBe(503);
  for (const path of ["/", "/api/config/get-app-config"]) {
    const answer = await fetch(server.url + path);
    expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "5"]);
  }
  const lines = () => server.log().split("\n");
  const waiting = lines().filter((line) => line.includes('"msg":"waiting for the database"'));
  expect(waiting).not.toEqual([]);
  expect(JSON.parse(waiting[0] as string)).toMatchObject({
    dependency: "database",
    since: expect.stringMatching(/^\d{4}-/),
    reason: expect.stringContaining("ECONNREFUSED"),
  });

  await deployment.postgres.start();
  await started;
  expect(lines().filter((line) => line.includes('"msg":"the database is available"'))).toHaveLength(1);
  expect(await statusOf("/api/health/ready")).toBe(200);
  expect(await statusOf("/api/config/get-app-config")).toBe(200);
});

for (const [what, setting, wrong, reason] of [
  [
    "password of the database",
    "DATABASE_URL",
    (url: string) => Object.assign(new URL(url), { password: "wrong" }).href,
    /Slipway cannot start: DATABASE_URL, DATABASE_PASSWORD: the database refuses the login/,
  ],
  ["master key", "MASTER_KEY", () => randomBytes(32).toString("base64"), /Slipway cannot start: MASTER_KEY: the key/],
] as const) {
  test(`a wrong ${what} ends an instance at once`, slowUnless(setting === "MASTER_KEY"), async () => {
    const right = deployment.settings[setting];
    await deployment.servers[0]?.stop();
    deployment.settings[setting] = wrong(right);
    await expect(deployment.restart(0)).rejects.toThrow(reason);
    deployment.settings[setting] = right;
    await deployment.restart(0);
    expect(deployment.servers[0]?.log()).not.toContain("waiting for the");
  });
}
