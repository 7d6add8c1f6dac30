import { PgBoss } from "pg-boss";
import { NoS3Server } from "../scripts/versitygw.ts";
import type { ConsoleClient } from "../testing/console-client";
import { type Deployment, startDeployment } from "../testing/deployment";
import { aLargeIpa, anIpa } from "../testing/installers";
import { makePlace } from "../testing/place";
import { SentRequests, UPLOAD_REQUESTS } from "./fixtures/sent-requests";
import { expect, type Place, test } from "./fixtures/test";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

test.describe.configure({ mode: "serial" });
test.use({ signedIn: false });
test.setTimeout(90_000);

let deployment: Deployment;
let admin: ConsoleClient;
let place: Place;

test.beforeAll(async () => {
  try {
    deployment = await startDeployment("server-of-two", { instances: 2, store: "s3" });
  } catch (error) {
    test.skip(error instanceof NoS3Server, `there is no S3 server: ${String(error)}`);
    throw error;
  }
  // The nonce of the password's key comes from the one server, and the other takes it.
  admin = await deployment.signIn();
  place = await makePlace(admin);
});

test.afterAll(async () => {
  await admin?.dispose();
  await deployment?.stop();
});

/** The answers of both servers to the same request, each asked directly. */
function askBoth(path: string, options: { headers?: Record<string, string>; method?: string; body?: string } = {}) {
  return Promise.all(deployment.servers.map(({ url }) => fetch(`${url}${path}`, options)));
}
const statusOf = async (answers: Promise<Response[]>) => (await answers).map(({ status }) => status);

async function sessionOf(client: ConsoleClient): Promise<Record<string, string>> {
  const { cookies } = await client.request.storageState();
  return { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "), origin: deployment.url };
}

test("a session is valid on both instances, and ends on both at once", async () => {
  const another = await deployment.signIn();
  const headers = await sessionOf(another);
  expect(await statusOf(askBoth("/api/auth/get-user-profile", { headers }))).toEqual([200, 200]);
  const [first] = deployment.servers;
  const out = await fetch(`${first?.url}/api/auth/logout`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "{}",
  });
  expect(out.status).toBe(204);
  expect(await statusOf(askBoth("/api/auth/get-user-profile", { headers }))).toEqual([401, 401]);
  await another.dispose();
});

test("both instances use the same keys, and each accepts the other's one-time tokens", async () => {
  const keys = await Promise.all((await askBoth("/api/config/get-public-key")).map((answer) => answer.json()));
  expect(keys[0].keys).toEqual(keys[1].keys);
  expect(keys[0].nonce).not.toBe(keys[1].nonce);

  const installer = anIpa(place.identifier);
  const release = await admin.publish(installer, { environmentId: place.environmentId, description: "For a phone" });
  const { token } = await admin.command("apps/generate-apple-manifest-request-token", { id: release.id });
  const manifest = `/api/apps/download-testing-deploy-apple-file?${new URLSearchParams({ token })}`;
  expect(await statusOf(askBoth(manifest))).toEqual([200, 200]);
});

test("an API token works on both instances, and is rejected on both as soon as it is deleted", async () => {
  const created = await admin.command("config/create-api-token", {
    name: "CI",
    appId: place.appId,
    environmentId: place.environmentId,
    identifiers: ["server"],
    validUntil: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const headers = { authorization: `Bearer ${created.token}` };
  const list = `/api/apps/get-testing-deploys?environmentId=${place.environmentId}`;
  expect(await statusOf(askBoth(list, { headers }))).toEqual([200, 200]);
  await admin.command("config/delete-api-token", { id: created.id });
  expect(await statusOf(askBoth(list, { headers }))).toEqual([401, 401]);
});

test("a rate limit counts the requests to both instances", async () => {
  const POINTS = 120;
  const ask = (index: number) =>
    fetch(`${deployment.servers[index % 2]?.url}/api/auth/login-with-passkey`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  const statuses: number[] = [];
  for (let index = 0; index < POINTS + 10; index += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, more) => ask(index + more)));
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(POINTS);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
});

test("an upload whose requests alternate between the instances completes, and its parts go to the store directly", async () => {
  const installer = anIpa(place.identifier, { fillerBytes: 20 * 1024 * 1024, version: "2.0.0" });
  const { bytes } = installer;
  const begun = await admin.command("files/create-upload", { name: installer.name, size: bytes.length });
  if (!("parts" in begun)) throw new Error("there is nothing to upload");
  expect(begun.parts).toHaveLength(3);
  for (const { number, url } of begun.parts) {
    expect(url).toContain(deployment.store?.proxy.url);
    expect(url).not.toMatch(/x-amz-checksum-/i);
    const body = bytes.slice((number - 1) * begun.partSize, number * begun.partSize);
    expect((await fetch(url, { method: "PUT", body: Buffer.from(body) })).status).toBe(200);
  }
  const headers = { ...(await sessionOf(admin)), "content-type": "application/json" };
  const states = await Promise.all(
    (await askBoth(`/api/files/get-upload?uploadId=${begun.uploadId}`, { headers })).map((answer) => answer.json()),
  );
  expect(states[0].parts).toHaveLength(3);
  expect(states[1]).toEqual(states[0]);
  // Both are told at once, and then once more: one file comes of it.
  const body = JSON.stringify({ uploadId: begun.uploadId, parts: states[0].parts });
  const complete = () => askBoth("/api/files/complete-upload", { method: "POST", headers, body });
  expect(await statusOf(complete())).toEqual([200, 200]);
  const joined = await Promise.all((await complete()).map((answer) => answer.json()));
  expect(joined[0].fileId).toBeTruthy();
  expect(joined[1]).toEqual(joined[0]);
  const release = await admin.command("apps/create-testing-deploy", {
    environmentId: place.environmentId,
    description: "From two",
    fileId: joined[0].fileId,
  });
  expect(release.sha256).toBe(joined[0].sha256);

  const download = await fetch(`${deployment.servers[1]?.url}/api/apps/download-testing-deploy-file?id=${release.id}`, {
    headers,
    redirect: "manual",
  });
  expect(download.status).toBe(302);
  const location = download.headers.get("location") as string;
  expect(location).not.toMatch(/x-amz-checksum-/i);
  const stored = await fetch(location);
  expect(stored.headers.get("content-disposition")).toContain(`filename="${release.fileName ?? installer.name}"`);
  expect(stored.headers.get("content-type")).toBe("application/octet-stream");
  expect(Buffer.from(await stored.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
});

test("a browser sends the parts to the store directly after the CORS command", async ({ page, context }, info) => {
  expect(await deployment.run("store", "cors")).toEqual({
    code: 0,
    out: `Browsers may send files to the store from ${deployment.url}.\n`,
    err: "",
  });
  const file = await aLargeIpa(info.outputPath(), place.identifier, 34);
  await context.addCookies((await admin.request.storageState()).cookies);
  await page.goto(`${deployment.url}${ReleasesPage.path(place)}`);
  const sent = new SentRequests(page, UPLOAD_REQUESTS);
  const parts = new SentRequests(page, /partNumber=/);
  await new ReleasesPage(page).upload.click();
  const dialog = new UploadDialog(page);
  await dialog.file.setInputFiles(file.path);
  await dialog.publish("Straight to the store");
  await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });
  expect(parts.count).toBe(5);
  expect(sent.countOf("files/upload-part")).toBe(0);
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
  expect(items[0]).toMatchObject({ sha256: file.sha256, size: file.size });
});

test("a scheduled sweep runs once, on one of the instances", async () => {
  await Promise.all(deployment.servers.map((server) => server.stop()));
  const boss = new PgBoss({ connectionString: deployment.databaseUrl, supervise: false, schedule: false });
  boss.on("error", () => undefined);
  await boss.start();
  const completed = async () => (await boss.findJobs("sweep")).filter((job) => job.state === "completed").length;
  const before = await completed();
  const id = await boss.send("sweep");
  expect(id).not.toBeNull();
  expect(await boss.send("sweep")).toBeNull();
  await Promise.all([deployment.restart(0), deployment.restart(1)]);
  const state = async () => (await boss.findJobs("sweep", { id: id as string }))[0]?.state;
  await expect.poll(state, { timeout: 45_000 }).toBe("completed");
  // A scheduled run may start in the same time, but no run is reported by both instances.
  const swept = () => deployment.servers.flatMap((server) => server.log().match(/"msg":"swept"/g) ?? []).length;
  await expect.poll(async () => swept() - ((await completed()) - before)).toBe(0);
  await boss.stop();
});

test("when one instance stops, the other one keeps answering", async () => {
  const [first, second] = deployment.servers;
  deployment.front?.forwardTo(second?.url.replace("localhost", "127.0.0.1") as string);
  await first?.kill();
  const release = await admin.publish(anIpa(place.identifier, { version: "3.0.0" }), {
    environmentId: place.environmentId,
    description: "From the one that is left",
  });
  expect(release.version).toBe("3.0.0");
});
