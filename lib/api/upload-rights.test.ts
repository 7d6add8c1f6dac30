import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { uploadPart } from "@/lib/features/uploads/operations/upload-part";
import { newId } from "@/lib/kernel/ids";
import type { Scope } from "@/lib/permissions/scopes";
import { anApp, aToken, aUser, type Caller, send } from "@/lib/testing/console";
import { anIpa, anUpload } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { type Operation, pathOf } from "./operation";
import { MAX_FORMS_AT_ONCE } from "./rate-limit";

const MIB = 1024 * 1024;

setUpTestDatabase();

let server: TestServer;
let app: Awaited<ReturnType<typeof anApp>>;
let other: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;

beforeAll(async () => {
  server = await serveOperations([createTestingDeploy, uploadPart]);
  app = await anApp();
  other = await anApp();
  environmentId = app.environmentIds[0] as string;
});

afterAll(() => server.close());

/** Sends the beginning of a request and waits for what is answered to that much. */
async function answerTo(operation: Operation, caller: Caller, headers: Record<string, string>, begin = "", query = "") {
  const socket: Socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  const all = { host: "localhost", "accept-language": "en", ...caller.headers, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${operation.method} ${pathOf(operation)}${query} HTTP/1.1\r\n${lines.join("")}\r\n${begin}`);
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  const text = first.toString();
  return [Number(text.slice(9, 12)), /"code":"(\w+)"/.exec(text)?.[1]];
}

const formHeaders = { "content-type": "multipart/form-data; boundary=B", "content-length": String(50 * MIB) };
const fileFirst =
  '--B\r\nContent-Disposition: form-data; name="file"; filename="Acme.ipa"\r\nContent-Type: application/octet-stream\r\n\r\n';

const withScopes = (scopes: Scope[]) => aToken({ appId: app.appId, environmentId, scopes });

describe("a file from a caller who may not publish anywhere", () => {
  const callers: [string, () => Promise<Caller>, number, string][] = [
    ["a user whose role has no permission", () => aUser(), 404, "not_found"],
    ["an API token without scopes", () => withScopes([]), 404, "not_found"],
    ["an API token that reads environments", () => withScopes(["environment:read"]), 403, "forbidden"],
    [
      "a user who reads releases",
      () => aUser({ grants: [{ scopes: ["release:download", "release:update"] }] }),
      403,
      "forbidden",
    ],
  ];

  it.each(callers)("is refused before its first byte: %s", async (_who, make, status, code) => {
    const caller = await make();
    const files = await db.file.count();
    // Not a byte of the body is sent, so that none can be waited for.
    expect(await answerTo(createTestingDeploy, caller, formHeaders)).toEqual([status, code]);
    expect(await answerTo(createTestingDeploy, caller, formHeaders, fileFirst + "x".repeat(MIB))).toEqual([
      status,
      code,
    ]);
    expect(await db.file.count()).toBe(files);
  });

  it.each(callers)("is refused before its first byte as a part of an upload: %s", async (_who, make) => {
    const { uploadId } = await anUpload(await withScopes(["release:create"]), "Acme.ipa", 5 * MIB);
    const headers = { "content-length": String(5 * MIB) };
    const query = `?uploadId=${uploadId}&number=1`;
    expect(await answerTo(uploadPart, await make(), headers, "", query)).toEqual([403, "forbidden"]);
  });
});

describe("forms with a file", () => {
  /** Begins a form and leaves it unfinished. @returns the connection, once the file is being stored */
  async function beginFile(caller: Caller): Promise<Socket> {
    const files = await db.file.count();
    const socket: Socket = connect(server.port, "127.0.0.1");
    const all = { host: "localhost", ...caller.headers, ...formHeaders };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${pathOf(createTestingDeploy)} HTTP/1.1\r\n${lines.join("")}\r\n${fileFirst}dribble`);
    await expect.poll(() => db.file.count()).toBe(files + 1);
    return socket;
  }

  it("are counted while they arrive, and one caller's leave those of others alone", async () => {
    const [busy, quiet] = [await withScopes(["release:create"]), await withScopes(["release:create"])];
    const sockets: Socket[] = [];
    for (let count = 0; count < MAX_FORMS_AT_ONCE; count += 1) sockets.push(await beginFile(busy));
    expect(await answerTo(createTestingDeploy, busy, formHeaders)).toEqual([429, "too_many_uploads"]);
    sockets.push(await beginFile(quiet));
    const files = await db.file.count();
    sockets.shift()?.destroy();
    await expect.poll(() => db.file.count()).toBe(files - 1);
    sockets.push(await beginFile(busy));
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => db.file.count()).toBe(files - 1 - MAX_FORMS_AT_ONCE);
  });
});

describe("a file from a caller who may publish elsewhere", () => {
  const elsewhere = () => aToken({ appId: other.appId, environmentId: other.environmentIds[0] as string });

  it("is refused before its first byte where the fields before it name the place", async () => {
    const place = `--B\r\nContent-Disposition: form-data; name="environmentId"\r\n\r\n${environmentId}\r\n`;
    const files = await db.file.count();
    expect(await answerTo(createTestingDeploy, await elsewhere(), formHeaders, place + fileFirst)).toEqual([
      404,
      "not_found",
    ]);
    expect(await db.file.count()).toBe(files);
  });

  it("leaves nothing behind where the place is named after it", async () => {
    const files = await db.file.count();
    const form = new FormData();
    form.append("file", new File([anIpa(app.identifier)], "Acme.ipa"));
    form.append("environmentId", environmentId);
    form.append("description", "x");
    const { headers } = await elsewhere();
    const answer = await fetch(`${server.url}${pathOf(createTestingDeploy)}`, { method: "POST", headers, body: form });
    expect(answer.status).toBe(404);
    expect(await db.file.count()).toBe(files);
  });
});

it("JSON is read from a caller without the right: its target decides between what is out of reach and what is forbidden", async () => {
  const reader = await withScopes(["environment:read"]);
  const ask = async (place: string | undefined) => {
    const answer = await send(createTestingDeploy, reader, { environmentId: place, description: "x", fileId: newId() });
    return [answer.status, answer.body.code];
  };
  expect(await ask(environmentId)).toEqual([403, "forbidden"]);
  expect(await ask(other.environmentIds[0])).toEqual([404, "not_found"]);
  expect(await ask(newId())).toEqual([404, "not_found"]);
});

it("fields before a file that the database cannot store are refused by name", async () => {
  const form = new FormData();
  form.append("app", "com.example\0");
  form.append("environment", "QA");
  form.append("file", new File([anIpa(app.identifier)], "Acme.ipa"));
  const answer = await send(createTestingDeploy, await withScopes(["release:create"]), form);
  expect([answer.status, answer.body.errors]).toEqual([422, [expect.objectContaining({ path: "app" })]]);
});
