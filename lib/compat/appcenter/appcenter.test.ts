import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { toResponse } from "@/lib/http/reply";
import { handlerOf } from "@/lib/http/routes";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { MINUTE_MS } from "@/lib/kernel/time";
import { routes } from "@/lib/routes";
import { anApp, aToken } from "@/lib/testing/console";
import { anApk, anIpa, sha256Of } from "@/lib/testing/releases";
import { withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { numberOf, timeOfNumber } from "./release-numbers";

setUpTestDatabase();

let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let token: string;
let tokenId: string;

beforeAll(async () => {
  app = await anApp({ environments: [{ name: "QA Team" }, { name: "Staging" }] });
  environmentId = app.environmentIds[0] as string;
  ({ token, tokenId } = await aToken({ appId: app.appId, environmentId }));
});

afterEach(() => vi.restoreAllMocks());

interface Asked {
  method?: string;
  json?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
  apiToken?: string;
}

async function ask(path: string, { method = "GET", json, bytes, apiToken = token }: Asked = {}) {
  const url = new URL(`/compat/appcenter${path}`, "http://localhost");
  const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
  const headers: Record<string, string> = { "accept-language": "en", "x-api-token": apiToken, host: "phone.test:3000" };
  if (json !== undefined) headers["content-type"] = "application/json";
  if (bytes) headers["content-length"] = String(bytes.length);
  const request = new Request(url, { method, headers, body });
  const reply = await handlerOf(routes, url.pathname, request.method)?.(request);
  if (!reply) throw new Error(`nothing answers ${path}`);
  const response = toResponse(reply, request);
  return { status: response.status, body: await response.json() };
}

const ours = (path = "") => `/v0.1/apps/acme/${app.identifier}${path}`;

type Bytes = Uint8Array<ArrayBuffer>;

const finishUpload = (id: string, apiToken = token) =>
  ask(ours(`/uploads/releases/${id}`), { method: "PATCH", json: { upload_status: "uploadFinished" }, apiToken });

/** Sends a file as the client does, up to the answer to its question for the release. */
async function upload(
  bytes: Bytes,
  name: string,
  options: { buildVersion?: string; lose?: number; apiToken?: string; isStoreAway?: boolean } = {},
) {
  const { apiToken = token } = options;
  const begun = await ask(ours("/uploads/releases"), {
    method: "POST",
    json: { build_version: options.buildVersion, build_number: null },
    apiToken,
  });
  expect(begun, JSON.stringify(begun.body)).toMatchObject({ status: 201 });
  const { id, package_asset_id: asset, url_encoded_token: secret, upload_domain: domain } = begun.body;
  expect(domain).toBe("http://phone.test:3000/compat/appcenter");
  const step = (of: string, query: string, sent?: Bytes) =>
    ask(`/upload/${of}/${asset}?${query}&token=${secret}`, { method: "POST", bytes: sent, apiToken: "" });
  const metadata = await step("set_metadata", `file_name=${encodeURIComponent(name)}&file_size=${bytes.length}`);
  if (metadata.body.error !== false) return { id, metadata };
  const { chunk_size: size, chunk_list: chunks } = metadata.body as { chunk_size: number; chunk_list: number[] };
  const send = (number: number) =>
    step("upload_chunk", `block_number=${number}`, bytes.slice((number - 1) * size, number * size) as Bytes);
  for (const number of chunks) if (number !== options.lose) expect(await send(number)).toMatchObject({ status: 200 });
  if (options.lose !== undefined) {
    expect((await step("finished", "callback=")).body).toEqual({ error: true, missing_chunks: [options.lose] });
    const again = await step("set_metadata", `file_name=${encodeURIComponent(name)}&file_size=${bytes.length}`);
    expect(again.body.chunk_list).toEqual([options.lose]);
    await send(options.lose);
  }
  expect((await step("finished", "callback=")).body).toMatchObject({ error: false, state: "Done" });
  // The parts are joined, and then the file cannot be read.
  if (options.isStoreAway) {
    const away = await withFault({ method: "get", when: "before" }, () => finishUpload(id, apiToken));
    expect(away.status).toBe(503);
  }
  expect((await finishUpload(id, apiToken)).body).toEqual({ id, upload_status: "uploadFinished" });
  return { id, metadata, state: (await ask(ours(`/uploads/releases/${id}`), { apiToken })).body };
}

function distribute(number: number, { mandatory = true, apiToken = token } = {}) {
  return ask(ours(`/releases/${number}/groups`), {
    method: "POST",
    json: { id: environmentId, mandatory_update: mandatory, notify_testers: true },
    apiToken,
  });
}

describe("a release of App Center's client", () => {
  it("is published with its notes when it is distributed, and not before", async () => {
    const bytes = anIpa(app.identifier, { version: "1.0.0", build: "1" });
    const { state } = await upload(bytes, "Acme é.ipa");
    expect(state).toMatchObject({ upload_status: "readyToBePublished", release_distinct_id: expect.any(Number) });
    const number = state.release_distinct_id;
    const notes = await ask(ours(`/releases/${number}`), { method: "PUT", json: { release_notes: "Fixes the login" } });
    expect(notes.status).toBe(200);
    expect(await db.release.count({ where: { environmentId } })).toBe(0);
    const { body: group } = await ask(ours("/distribution_groups/qa%20team"));
    expect(group).toMatchObject({ id: environmentId, name: "QA Team" });
    expect(await distribute(number)).toMatchObject({ status: 201, body: { mandatory_update: true } });
    const [release] = await db.release.findMany({ where: { environmentId }, include: { file: true } });
    expect(release).toMatchObject({
      description: "Fixes the login",
      mandatory: true,
      createdByToken: tokenId,
      file: { sha256: sha256Of(bytes), name: "Acme é.ipa" },
    });
    const shown = { id: number, short_version: "1.0.0", version: "1", release_notes: "Fixes the login" };
    expect((await ask(ours(`/releases/${number}`))).body).toMatchObject(shown);
    const record = await db.auditRecord.findFirst({ where: { recordId: release?.id, action: "create" } });
    expect(record?.tokenId).toBe(tokenId);
  });

  it("is distributed to a group of testers if the environment has another name, and told unless it is silent", async () => {
    const scopes = ["release:create", "release:download", "release:update"] as const;
    const { token: apiToken } = await aToken({ appId: app.appId, environmentId, scopes: [...scopes] });
    const [named, silent, further] = [`QA ${newId()}`, `Silent ${newId()}`, `Further ${newId()}`] as const;
    await db.testerGroup.createMany({
      data: [named, silent, further].map((name) => ({
        id: newId(),
        appId: app.appId,
        name,
        allEnvironments: true,
        environmentIds: [],
      })),
    });
    const bytes = anIpa(app.identifier, { version: "7.0.0" });
    const { state } = await upload(bytes, "Acme.ipa", { apiToken });
    const send = async (name: string, notify: boolean, number = state.release_distinct_id) => {
      const { body: group } = await ask(ours(`/distribution_groups/${encodeURIComponent(name)}`), { apiToken });
      expect(group.name).toBe(name);
      const json = { id: group.id, notify_testers: notify };
      return ask(ours(`/releases/${number}/groups`), { method: "POST", json, apiToken });
    };
    expect((await send(named, true)).status).toBe(201);
    expect((await send(silent, false)).status).toBe(201);
    // The tool uploads a build again for each group.
    const { state: again } = await upload(bytes, "Acme.ipa", { apiToken });
    expect((await send(further, true, again.release_distinct_id)).status).toBe(201);
    const distributions = await db.releaseDistribution.findMany({
      where: { release: { environmentId, version: "7.0.0" } },
      orderBy: { createdAt: "asc" },
    });
    expect(distributions.map(({ notify }) => notify)).toEqual([true, false, true]);
    // A token that may not tell testers knows no groups of them.
    expect((await ask(ours(`/distribution_groups/${encodeURIComponent(named)}`))).status).toBe(404);
  });

  it("is checked as when it is published, and leaves nothing but its file", async () => {
    const before = await db.file.count();
    const { state } = await upload(await anApk(app.identifier), "a.apk");
    expect(state.upload_status).toBe("readyToBePublished");
    expect(await db.file.count({ where: { state: { not: "deleting" } } })).toBe(before + 1);
    await distribute(state.release_distinct_id);
    const release = await db.release.findFirstOrThrow({ where: { environmentId }, orderBy: { deployDate: "desc" } });
    expect(release.iconFileId).not.toBeNull();
  });

  it("arrives whole when a part was lost", async () => {
    const bytes = await anApkOf(9 * 1024 * 1024);
    const { state } = await upload(bytes, "big.apk", { lose: 2 });
    expect(state.upload_status).toBe("readyToBePublished");
    await distribute(state.release_distinct_id);
    expect(await db.release.count({ where: { environmentId, file: { sha256: sha256Of(bytes) } } })).toBe(1);
  });

  it("is finished again with the same answer, before and after it is published", async () => {
    const { id, state } = await upload(anIpa(app.identifier, { version: "7.1.0" }), "Acme.ipa", { isStoreAway: true });
    expect(state.upload_status).toBe("readyToBePublished");
    const finishAgain = async () => {
      expect(await finishUpload(id)).toMatchObject({ status: 200, body: { id, upload_status: "uploadFinished" } });
      expect((await ask(ours(`/uploads/releases/${id}`))).body).toEqual(state);
    };
    await finishAgain();
    expect((await distribute(state.release_distinct_id)).status).toBe(201);
    await db.upload.updateMany({ data: { expiresAt: new Date(0) } });
    await finishAgain();
  });

  it("is the release that is there if its bytes were published before", async () => {
    const bytes = anIpa(app.identifier, { version: "1.1.0" });
    for (let turn = 0; turn < 2; turn++) {
      const { state } = await upload(bytes, "Acme.ipa");
      expect((await distribute(state.release_distinct_id)).status).toBe(201);
    }
    expect(await db.release.count({ where: { file: { sha256: sha256Of(bytes) } } })).toBe(1);
  });

  it("becomes mandatory if it was published without it, by a token that may change releases", async () => {
    const { token: editor } = await aToken({
      appId: app.appId,
      environmentId,
      scopes: ["release:create", "release:update"],
    });
    const bytes = anIpa(app.identifier, { version: "1.2.0" });
    const send = async (mandatory: boolean, apiToken = token) => {
      const { state } = await upload(bytes, "Acme.ipa", { apiToken });
      const { status, body } = await distribute(state.release_distinct_id, { mandatory, apiToken });
      const release = await db.release.findFirstOrThrow({ where: { file: { sha256: sha256Of(bytes) } } });
      return [status, body.mandatory_update, release.mandatory];
    };
    expect(await send(false)).toEqual([201, false, false]);
    expect(await send(true)).toEqual([201, false, false]);
    expect(await send(true, editor)).toEqual([201, true, true]);
    expect(await send(true)).toEqual([201, true, true]);
  });

  it("can be listed and shown by its number, however it was published", async () => {
    const { body: list } = await ask(ours("/releases?published_only=true"));
    expect(list.length).toBeGreaterThan(1);
    for (const { id, short_version } of list) {
      expect((await ask(ours(`/releases/${id}`))).body).toMatchObject({ id, short_version });
    }
    expect((await ask(ours("/releases/latest"))).body).toMatchObject({ short_version: list[0].short_version });
  });
});

/** An .apk with random bytes in it, so that it has several parts. */
function anApkOf(size: number): Promise<Bytes> {
  return anApk(app.identifier, { extraEntries: [{ name: "assets/data.bin", data: randomBytes(size) }] });
}

describe("what App Center's client is told", () => {
  it.each<[string, () => Promise<Bytes> | Bytes, string, RegExp]>([
    ["is not an installer", () => new TextEncoder().encode("nothing") as Bytes, "a.ipa", /installer/i],
    ["is of another application", () => anIpa("com.other.app"), "a.ipa", /com\.other\.app/],
  ])("about a file that %s, when it asks for the release", async (_what, bytes, name, words) => {
    const { state } = await upload(await bytes(), name);
    expect(state).toEqual({
      id: expect.any(String),
      upload_status: "error",
      error_details: expect.stringMatching(words),
    });
  });

  it("about a version that the file does not have", async () => {
    const { state } = await upload(anIpa(app.identifier, { version: "3.0.0" }), "a.ipa", { buildVersion: "3.1.0" });
    expect(state.error_details).toMatch(/3\.1\.0/);
  });

  it.each<[string, Bytes, string, number, RegExp]>([
    ["of another type", new Uint8Array(10), "notes.txt", 415, /content type/],
    ["that is empty", new Uint8Array(), "a.ipa", 422, /size/],
  ])("about a file %s, before a byte of it, as the words of an answer that it reads", async (...row) => {
    const [, bytes, name, status, words] = row;
    const { metadata } = await upload(bytes, name);
    expect(metadata.status).toBe(200);
    // The client reads these, and prints the message.
    expect(metadata.body).toMatchObject({
      error: true,
      message: expect.stringMatching(words),
      statusCode: status,
      currentTarget: { status },
    });
  });

  it("about an upload that has ended, without asking to try again for ever", async () => {
    const { token: apiToken, tokenId: id } = await aToken({ appId: app.appId, environmentId });
    const begun = (await ask(ours("/uploads/releases"), { method: "POST", json: {}, apiToken })).body;
    const step = (of: string) =>
      ask(`/upload/${of}/${begun.id}?file_name=a.ipa&file_size=9&token=${begun.url_encoded_token}`, {
        method: "POST",
        apiToken: "",
      });
    expect(await step("set_metadata")).toMatchObject({ status: 200, body: { error: false } });
    await db.apiToken.update({ where: { id }, data: { revokedAt: new Date() } });
    const { status, body } = await step("finished");
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { error: true, message: expect.stringMatching(/token/) },
    });
    expect(body.missing_chunks).toBeUndefined();
  });

  it.each<[string, () => Promise<{ status: number; body: unknown }>, number]>([
    ["a wrong token", () => ask("/v0.1/user", { apiToken: "no" }), 401],
    ["no token", () => ask("/v0.1/apps", { apiToken: "" }), 401],
    ["another application", () => ask("/v0.1/apps/acme/com.other.app/releases"), 404],
    ["a group that is not the token's", () => ask(ours("/distribution_groups/Staging")), 404],
    ["a release that does not exist", () => ask(ours("/releases/999999999")), 404],
    ["an upload that does not exist", () => ask(ours(`/uploads/releases/${newId()}`)), 404],
    ["a path that does not exist", () => ask(ours("/symbols")), 404],
    ["a store", () => ask(ours("/distribution_stores/Play")), 404],
    ["a method that a path does not have", () => ask("/v0.1/user", { method: "PUT", json: {} }), 405],
    ["a body that is none", () => ask(ours("/uploads/releases"), { method: "POST", json: [1] }), 422],
  ])("about %s", async (_what, answer, status) => {
    expect(await answer()).toMatchObject({ status, body: { statusCode: status, message: expect.stringMatching(/./) } });
  });

  it("about an error of the console, which is in the log with the ID of the request", async () => {
    const { body } = await ask(ours("/uploads/releases"), { method: "POST", json: {} });
    const cause = new Error("the cause");
    vi.spyOn(db.appCenterUpload, "findFirst").mockRejectedValueOnce(cause);
    const logged = vi.spyOn(log, "error");
    expect(await ask(ours(`/uploads/releases/${body.id}`))).toMatchObject({
      status: 500,
      body: { code: "unexpected" },
    });
    expect(logged.mock.calls).toEqual([
      [
        { err: cause, code: "unexpected", operation: "compat/appcenter", requestId: expect.any(String) },
        "an operation failed",
      ],
    ]);
  });

  it("about its token and its application", async () => {
    expect((await ask("/v0.1/user")).body).toMatchObject({ display_name: "CI" });
    expect((await ask("/v0.1/apps")).body).toMatchObject([{ id: app.appId, owner: { name: "slipway" } }]);
    expect((await ask(ours())).body).toMatchObject({ id: app.appId });
  });
});

it("a token that must not publish begins nothing", async () => {
  const { token: apiToken } = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
  const before = await db.appCenterUpload.count();
  const begun = await ask(ours("/uploads/releases"), { method: "POST", json: {}, apiToken });
  expect(begun).toMatchObject({ status: 403, body: { statusCode: 403 } });
  expect(await db.appCenterUpload.count()).toBe(before);
});

describe("the parts of an upload", () => {
  it("need its own secret, and a token that still exists", async () => {
    const place = { appId: app.appId, environmentId };
    const other = await aToken(place);
    const begin = (apiToken: string) => ask(ours("/uploads/releases"), { method: "POST", json: {}, apiToken });
    const [one, two] = [(await begin(other.token)).body, (await begin(token)).body];
    const metadata = (id: string, secret: string) =>
      ask(`/upload/set_metadata/${id}?file_name=a.ipa&file_size=10&token=${secret}`, { method: "POST", apiToken: "" });
    const unauthorized = { body: { error: true, statusCode: 401 } };
    expect(await metadata(one.id, two.url_encoded_token)).toMatchObject(unauthorized);
    expect(await metadata(newId(), one.url_encoded_token)).toMatchObject(unauthorized);
    await db.apiToken.update({ where: { id: other.tokenId }, data: { revokedAt: new Date() } });
    expect(await metadata(one.id, one.url_encoded_token)).toMatchObject(unauthorized);
    expect(await metadata(two.id, two.url_encoded_token)).toMatchObject({ status: 200, body: { error: false } });
  });

  it("of another token are unknown", async () => {
    const other = await aToken({ appId: app.appId, environmentId });
    const { body } = await ask(ours("/uploads/releases"), { method: "POST", json: {} });
    const seen = await ask(ours(`/uploads/releases/${body.id}`), { apiToken: other.token });
    expect(seen.status).toBe(404);
  });
});

it("the number of a release has its time, and is exact in a client's arithmetic", () => {
  const id = newId();
  expect(Number.isSafeInteger(numberOf(id))).toBe(true);
  expect(Math.abs((timeOfNumber(numberOf(id))?.getTime() ?? 0) - Date.now())).toBeLessThan(MINUTE_MS);
  expect(timeOfNumber(1_000_000)).toBeNull();
  const end = new Date("2109-01-01").getTime();
  expect(Number.isSafeInteger(end * 1024 + 1023)).toBe(true);
});
