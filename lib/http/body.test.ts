import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Operation, pathOf } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { uploadPart } from "@/lib/features/uploads/operations/upload-part";
import { readJson, readUrlEncoded } from "@/lib/http/body";
import { env } from "@/lib/kernel/env";
import { anApp, aToken } from "@/lib/testing/console";
import { anIpa, anUpload, sha256Of } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { afterSweep } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";

const MIB = 1024 * 1024;

setUpTestDatabase();

let server: TestServer;
let app: Awaited<ReturnType<typeof anApp>>;
let token: Awaited<ReturnType<typeof aToken>>;
let environmentId: string;

beforeAll(async () => {
  process.env.MAX_UPLOAD_BYTES = String(100 * MIB);
  server = await serveOperations([createTestingDeploy, createUpload, uploadPart]);
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  environmentId = app.environmentIds[0] as string;
  token = await aToken({ appId: app.appId, environmentId });
});

afterAll(() => server.close());

/** The beginning of a request, with its body still to be sent. */
async function begin(
  operation: Operation,
  options: { headers: Record<string, string>; query?: string },
): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  const headers = { host: "localhost", "accept-language": "en", ...options.headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${operation.method} ${pathOf(operation)}${options.query ?? ""} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return socket;
}

const field = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileStart = (name: string) =>
  `--B\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const formHeaders = (length: number) => ({
  ...token.headers,
  "content-type": "multipart/form-data; boundary=B",
  "content-length": String(length),
});

/** What the answer says, read until the server closes; fails where the connection is reset. */
async function answerOf(socket: Socket): Promise<{ status: number; code: string | undefined }> {
  const raw = await text(socket);
  return { status: Number(raw.slice(9, 12)), code: /"code":"(\w+)"/.exec(raw)?.[1] };
}

describe("a form is refused before its file is sent", () => {
  const fields = (place: string, more = "") => field("environmentId", place) + field("description", "x") + more;

  it.each([
    ["over the limit, by its length alone", 102 * MIB, () => "", 413, "file_too_large"],
    ["of another type", 50 * MIB, () => fields(environmentId) + fileStart("Acme.zip"), 415, "unsupported_media_type"],
    [
      "for an environment out of reach",
      50 * MIB,
      () => fields(app.environmentIds[1] as string) + fileStart("Acme.ipa"),
      404,
      "not_found",
    ],
    [
      "for an environment that is not there",
      50 * MIB,
      () => field("app", app.identifier) + field("environment", "None") + fileStart("Acme.ipa"),
      404,
      "not_found",
    ],
    [
      "in a field that is not known",
      50 * MIB,
      () => `${fileStart("Acme.ipa")}`.replace("file", "other"),
      422,
      "validation_failed",
    ],
    ["in a form that is none", 50 * MIB, () => "x".repeat(100_000), 422, "validation_failed"],
  ])("%s", async (_what, length, beginning, status, code) => {
    const files = await db.file.count();
    const socket = await begin(createTestingDeploy, { headers: formHeaders(length) });
    socket.write(beginning());
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(first.toString()).toMatch(/^connection: close\r$/im);
    expect(first.toString()).toContain(`"code":"${code}"`);
    expect(await db.file.count()).toBe(files);
    socket.destroy();
  });

  it("by a token that opens nothing, whatever is sent", async () => {
    const headers = { ...formHeaders(50 * MIB), authorization: "Bearer slw_x" };
    const socket = await begin(createTestingDeploy, { headers });
    socket.write("x".repeat(200_000));
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).toContain('"code":"invalid_token"');
    socket.destroy();
  });
});

describe("a client that goes on sending", () => {
  it("sees the answer all the same, and then the connection is closed", async () => {
    const beginning = field("environmentId", environmentId) + fileStart("Acme.zip");
    const headers = formHeaders(beginning.length + 30 * MIB);
    const socket = await begin(createTestingDeploy, { headers });
    const answer = answerOf(socket);
    socket.write(beginning);
    for (let sent = 0; sent < 30; sent += 1) {
      if (!socket.write(Buffer.alloc(MIB))) await once(socket, "drain");
    }
    expect(await answer).toEqual({ status: 415, code: "unsupported_media_type" });
  });

  it("keeps its connection where little is left of the body", async () => {
    const body = "x".repeat(10_000);
    const headers = { ...formHeaders(body.length), authorization: "Bearer slw_x" };
    const socket = await begin(createTestingDeploy, { headers });
    socket.write(body);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).not.toMatch(/^connection: close\r$/im);
    const again = `POST ${pathOf(createUpload)} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    socket.write(again);
    expect(await answerOf(socket)).toEqual({ status: 401, code: "not_authenticated" });
  });
});

describe("a connection that is cut", () => {
  async function agrees(): Promise<void> {
    const { stored, known, unfinished } = await afterSweep();
    expect(stored).toEqual(known);
    expect(unfinished).toBe(0);
  }

  it("while a file comes leaves nothing of it, without a sweep", async () => {
    const socket = await begin(createTestingDeploy, { headers: formHeaders(50 * MIB) });
    socket.write(field("environmentId", environmentId) + field("description", "x") + fileStart("Acme.ipa"));
    socket.write(Buffer.alloc(3 * MIB));
    await expect.poll(() => db.file.count({ where: { state: "pending" } })).toBe(1);
    socket.destroy();
    await expect.poll(() => db.file.count()).toBe(0);
    await agrees();
  });

  /** The blocks on the disk of an upload's data, which has holes until they are written. */
  async function writtenBlocks(uploadId: string): Promise<number> {
    const { storeUploadId } = await db.upload.findUniqueOrThrow({ where: { id: uploadId } });
    const folder = (await readdir(join(env.DATA_DIR, "uploads"))).find((name) => name.endsWith(`~${storeUploadId}`));
    return (await stat(join(env.DATA_DIR, "uploads", String(folder), "data"))).blocks;
  }

  it("while a part comes leaves the upload without that part", async () => {
    const { uploadId } = await anUpload(token, "Acme.ipa", 5 * MIB);
    const headers = { ...token.headers, "content-length": String(5 * MIB) };
    const socket = await begin(uploadPart, { headers, query: `?uploadId=${uploadId}&number=1` });
    socket.write(Buffer.alloc(MIB));
    await expect.poll(() => writtenBlocks(uploadId)).toBeGreaterThan(0);
    socket.destroy();
    const response = await fetch(`${server.url}${pathOf(uploadPart)}?uploadId=${uploadId}&number=1`, {
      method: "PUT",
      headers: token.headers,
      body: new Uint8Array(5 * MIB),
    });
    expect([response.status, await response.json()]).toEqual([200, { etag: expect.any(String) }]);
  });
});

it("a release is published over a real connection as curl sends it", async () => {
  const form = new FormData();
  form.append("app", app.identifier);
  form.append("environment", "qa");
  form.append("description", "What changed");
  form.append("metadata[gitCommit]", "abc");
  const bytes = anIpa(app.identifier, { fillerBytes: 5 * MIB });
  form.append("file", new File([bytes], "Acme.ipa"));
  const init = { method: "POST", headers: token.headers, body: form };
  const response = await fetch(`${server.url}${pathOf(createTestingDeploy)}`, init);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(201);
  expect(body).toMatchObject({ metadata: { gitCommit: "abc" }, sha256: sha256Of(bytes) });
});

describe("a body without a file", () => {
  /** A request whose body never ends. */
  const endless = (type: string) =>
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": type },
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) }),
      duplex: "half",
    } as RequestInit);

  it.each([
    ["JSON", () => readJson(endless("application/json"))],
    ["a form", () => readUrlEncoded(endless("application/x-www-form-urlencoded"))],
  ])("counts as broken off if it has not arrived after 30 seconds: %s", async (_what, read) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let outcome = "waiting";
      const reading = read().then(
        () => {
          outcome = "read";
        },
        () => {
          outcome = "broken off";
        },
      );
      await vi.advanceTimersByTimeAsync(29_999);
      expect(outcome).toBe("waiting");
      await vi.advanceTimersByTimeAsync(1);
      await reading;
      expect(outcome).toBe("broken off");
    } finally {
      vi.useRealTimers();
    }
  });
});
