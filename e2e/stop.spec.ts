import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { anIpa, sha256Of } from "../testing/installers";
import { makePlace } from "../testing/place";
import { type NewConsole, startNewConsole } from "./console.ts";
import { ConsoleDatabase } from "./fixtures/database";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";

test.describe.configure({ mode: "serial" });
test.use({ signedIn: false });

let own: NewConsole;

test.beforeAll(async () => {
  // As in production, where a proxy has to notice that readiness fails.
  own = await startNewConsole({ SLIPWAY_LOCAL: "" });
});

test.afterAll(() => own?.stop());

/** The head of a form that publishes a release, and its end. */
function formAround(environmentId: string, fileName: string): { type: string; before: Buffer; after: Buffer } {
  const field = (name: string, value: string) =>
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const before = `${field("environmentId", environmentId)}${field("description", "Sent while the server was told to stop")}--edge\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    type: "multipart/form-data; boundary=edge",
    before: Buffer.from(before),
    after: Buffer.from("\r\n--edge--\r\n"),
  };
}

async function answerOf(sent: ClientRequest): Promise<{ status: number; body: string }> {
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}

test("SIGTERM: readiness fails first, requests in progress finish, and the server exits with 0", async () => {
  const { server } = own;
  const admin = await own.signIn();
  const place = await makePlace(admin);
  const { cookies } = await admin.request.storageState();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "), origin: server.url };

  const installer = anIpa(place.identifier, { version: "1.0.0", build: "7" });
  const { type, before: head, after: tail } = formAround(place.environmentId, installer.name);
  const half = Math.floor(installer.bytes.length / 2);
  const upload = request(`${server.url}/api/apps/create-testing-deploy`, {
    method: "POST",
    headers: { ...headers, "content-type": type, "content-length": head.length + installer.bytes.length + tail.length },
  });
  const uploaded = answerOf(upload);
  upload.write(head);
  await new Promise((sent) => upload.write(installer.bytes.subarray(0, half), sent));
  // Once its row is there, the server is in the middle of the file.
  const database = new ConsoleDatabase(own.databaseUrl);
  await expect.poll(() => database.filesNamed(installer.name)).toHaveLength(1);
  await database.close();

  process.kill(server.pid, "SIGTERM");
  await expect.poll(async () => (await fetch(`${server.url}/api/health/ready`)).status).toBe(503);
  const late = await fetch(`${server.url}/api/config/get-app-config`);
  expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
  await expect
    .poll(
      () =>
        fetch(`${server.url}/api/health/live`).then(
          () => "takes connections",
          () => "takes none",
        ),
      { timeout: 20_000 },
    )
    .toBe("takes none");

  upload.write(installer.bytes.subarray(half));
  upload.end(tail);
  const { status, body } = await uploaded;
  expect([status, JSON.parse(body).sha256]).toEqual([201, sha256Of(installer.bytes)]);
  expect(await server.ended).toBe(0);
  expect(server.log()).toContain('"msg":"stopped"');
  await admin.dispose();
});

test("a download in progress finishes too, and a second signal ends the server at once", SLOW, async () => {
  await own.restart();
  const { server } = own;
  const admin = await own.signIn();
  const place = await makePlace(admin);
  // Larger than what sockets keep on the way.
  const installer = anIpa(place.identifier, { fillerBytes: 64 * 1024 * 1024 });
  const release = await admin.publish(installer, { environmentId: place.environmentId, description: "A large one" });
  const { cookies } = await admin.request.storageState();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
  const download = () => {
    const sent = request(`${server.url}/api/apps/download-testing-deploy-file?id=${release.id}`, { headers });
    sent.on("error", () => {});
    sent.end();
    return once(sent, "response") as Promise<[IncomingMessage]>;
  };
  const [answer] = await download();
  answer.pause();
  process.kill(server.pid, "SIGTERM");
  await expect.poll(() => server.log()).toContain("running requests may finish");
  let received = 0;
  for await (const chunk of answer) received += (chunk as Buffer).length;
  expect(received).toBe(installer.bytes.length);
  expect(await server.ended).toBe(0);

  await own.restart();
  const [stuck] = await download();
  stuck.on("error", () => {}).pause();
  process.kill(own.server.pid, "SIGTERM");
  await expect.poll(() => own.server.log()).toContain("running requests may finish");
  process.kill(own.server.pid, "SIGTERM");
  expect(await own.server.ended).toBe(1);
  stuck.destroy();
  await admin.dispose();
});
