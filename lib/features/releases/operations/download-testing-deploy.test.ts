import { parsePlist } from "@slipway/installers/testing";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { ANONYMOUS, anApp, aToken, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { anApk, anIpa, publish, sha256Of } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { recordDownloads } from "../data/downloads";
import { downloadTestingDeployAppleFile } from "./download-testing-deploy-apple-file";
import { downloadTestingDeployFile } from "./download-testing-deploy-file";
import { generateAppleManifestRequestToken } from "./generate-apple-manifest-request-token";
import { updateTestingDeploy } from "./update-testing-deploy";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let ipa: Uint8Array<ArrayBuffer>;
let ipaId: string;
let apkId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  ipa = anIpa(app.identifier, { name: 'A & "B" <C>', version: "2.4.0", build: "118", fillerBytes: 300_000 });
  ipaId = (await publish(admin, ipa, "Acme ünïcode.ipa", { environmentId })).body.id;
  apkId = (await publish(admin, await anApk(app.identifier), "app.apk", { environmentId })).body.id;
});

/** The recorded downloads of a release by kind, once they are written. */
async function downloads(id: string, count: number): Promise<object[]> {
  await expect.poll(async () => (await db.release.findUniqueOrThrow({ where: { id } })).downloadCount).toBe(count);
  await expect.poll(() => db.releaseDownload.count({ where: { releaseId: id } })).toBe(count);
  return db.releaseDownload.findMany({ where: { releaseId: id }, orderBy: { at: "asc" } });
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

it("a download of a release that is deleted at the same time is not recorded, and does not fail", async () => {
  const bytes = anIpa(app.identifier, { fillerBytes: 10 });
  const { id } = (await publish(admin, bytes, "Acme.ipa", { environmentId })).body;
  const download = {
    releaseId: id,
    userId: null,
    byLink: true,
    userAgent: null,
    kind: "download",
    at: new Date(),
  } as const;
  const recorded = await db.$transaction(async (tx) => {
    // The record waits for this lock.
    await tx.$executeRaw`LOCK TABLE "ReleaseDownload" IN EXCLUSIVE MODE`;
    const recording = recordDownloads(db, [download]);
    recording.catch(() => {});
    await untilWaitingForLocks(1);
    await tx.release.delete({ where: { id } });
    return { recording };
  }, LONG_TRANSACTION);
  await recorded.recording;
  expect(await db.releaseDownload.count({ where: { releaseId: id } })).toBe(0);
});

it("downloads that begin at the same moment occupy one connection of the database until they are recorded", async () => {
  const { id } = (await publish(admin, anIpa(app.identifier, { fillerBytes: 11 }), "Acme.ipa", { environmentId })).body;
  await db.$transaction(async (tx) => {
    // The records wait for the row of the release.
    await tx.$executeRaw`UPDATE "Release" SET "downloadCount" = 0 WHERE "id" = ${id}::uuid`;
    const answers = Array.from({ length: 50 }, () => sendRaw(downloadTestingDeployFile, admin, { id }));
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    await untilWaitingForLocks(1);
  }, LONG_TRANSACTION);
  expect(await downloads(id, 50)).toHaveLength(50);
});

describe("the installer of a release", () => {
  it("is sent complete, with its name and its digest as entity tag, and is counted", async () => {
    const before = await downloads(ipaId, 0);
    const headers = { "user-agent": "curl/8.5.0" };
    const response = await sendRaw(downloadTestingDeployFile, admin, { id: ipaId }, { headers });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": String(ipa.length),
      "content-disposition": `attachment; filename="Acme unicode.ipa"; filename*=UTF-8''Acme%20%C3%BCn%C3%AFcode.ipa`,
      etag: `"${sha256Of(ipa)}"`,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await bytesOf(response)).equals(ipa)).toBe(true);
    expect(await downloads(ipaId, before.length + 1)).toMatchObject([
      { userId: admin.userId, byLink: false, userAgent: "curl", kind: "download" },
    ]);
  });

  it("is sent in ranges, of which only the first is counted", async () => {
    const half = Math.floor(ipa.length / 2);
    const get = (headers: Record<string, string>) =>
      sendRaw(downloadTestingDeployFile, admin, { id: ipaId }, { headers });
    const first = await get({ range: `bytes=0-${half - 1}` });
    const ifRange = { "if-range": first.headers.get("etag") as string };
    const second = await get({ range: `bytes=${half}-`, ...ifRange });
    expect([first.status, second.status]).toEqual([206, 206]);
    expect(second.headers.get("content-range")).toBe(`bytes ${half}-${ipa.length - 1}/${ipa.length}`);
    expect(Buffer.concat([await bytesOf(first), await bytesOf(second)]).equals(ipa)).toBe(true);
    await downloads(ipaId, 2);

    const changed = await get({ range: `bytes=${half}-`, "if-range": '"another"' });
    expect([changed.status, (await bytesOf(changed)).length]).toEqual([200, ipa.length]);
    await downloads(ipaId, 3);
    expect((await get({ range: `bytes=${ipa.length}-` })).status).toBe(416);
    expect((await get({ "if-none-match": first.headers.get("etag") as string })).status).toBe(304);
    await downloads(ipaId, 3);
  });

  it("is described by HEAD without being counted", async () => {
    const response = await sendRaw(downloadTestingDeployFile, admin, { id: ipaId }, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(ipa.length)]);
    expect((await bytesOf(response)).length).toBe(0);
    await downloads(ipaId, 3);
  });

  it("has the content type that Android installs if it is an .apk", async () => {
    const response = await sendRaw(downloadTestingDeployFile, admin, { id: apkId });
    expect(response.headers.get("content-type")).toBe("application/vnd.android.package-archive");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="app.apk"');
    await response.arrayBuffer();
  });

  it("has the given name", async () => {
    await send(updateTestingDeploy, admin, { id: apkId, fileName: "Acme.apk" });
    const response = await sendRaw(downloadTestingDeployFile, admin, { id: apkId }, { method: "HEAD" });
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="Acme.apk"');
  });

  it("needs its own scope", async () => {
    const apps = [{ appId: app.appId }];
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps }] });
    expect((await send(downloadTestingDeployFile, reader, { id: ipaId })).status).toBe(403);
    const token = await aToken({ appId: app.appId, environmentId, scopes: ["release:download"] });
    expect((await sendRaw(downloadTestingDeployFile, token, { id: ipaId }, { method: "HEAD" })).status).toBe(200);
    expect((await send(downloadTestingDeployFile, ANONYMOUS, { id: ipaId })).status).toBe(401);
  });
});

describe("an iPhone", () => {
  async function link(id = ipaId) {
    const { status, body } = await send(generateAppleManifestRequestToken, admin, { id });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { token: string; expiresAt: string; manifestUrl: string; installUrl: string };
  }
  const fetchPart = (token: string, part?: string, options: Parameters<typeof sendRaw>[3] = {}) =>
    sendRaw(downloadTestingDeployAppleFile, ANONYMOUS, { token, ...(part && { part }) }, options);

  it("gets a link to the manifest that works for 15 minutes", async () => {
    const { token, expiresAt, manifestUrl, installUrl } = await link();
    const url = `http://localhost:3000/api/apps/download-testing-deploy-apple-file?token=${token}`;
    expect(manifestUrl).toBe(url);
    expect(installUrl).toBe(`itms-services://?action=download-manifest&url=${encodeURIComponent(url)}`);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14.9);
    expect(minutes).toBeLessThanOrEqual(15);
    const rows = await db.oneTimeToken.findMany({ where: { purpose: "manifest", subject: ipaId } });
    expect(JSON.stringify(rows)).not.toContain(token);
    const records = await db.auditRecord.findMany({ where: { action: "create-install-link" } });
    expect(JSON.stringify(records, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      token,
    );
  });

  it("reads the manifest, both images and the app repeatedly with only the token", async () => {
    const { token } = await link();
    for (let round = 0; round < 2; round += 1) {
      const manifest = await fetchPart(token);
      expect([manifest.status, manifest.headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
      const bytes = await bytesOf(manifest);
      expect(manifest.headers.get("content-length")).toBe(String(bytes.length));
      const list = parsePlist(bytes) as Map<string, Map<string, unknown>[]>;
      const item = list.get("items")?.[0] as Map<string, unknown>;
      const metadata = item.get("metadata") as Map<string, string>;
      expect(Object.fromEntries(metadata)).toEqual({
        "bundle-identifier": app.identifier,
        "bundle-version": "2.4.0",
        kind: "software",
        title: 'A & "B" <C>',
      });
      const assets = (item.get("assets") as Map<string, string>[]).map((asset) => new URL(asset.get("url") as string));
      expect(assets.map((url) => url.searchParams.get("part"))).toEqual(["ipa", "icon", "icon-large"]);
      for (const url of assets) expect(url.searchParams.get("token")).toBe(token);
    }
    for (const [part, side] of [
      ["icon", 57],
      ["icon-large", 512],
    ] as const) {
      const image = await sharp(await bytesOf(await fetchPart(token, part))).metadata();
      expect([image.format, image.width, image.height, image.hasAlpha]).toEqual(["png", side, side, false]);
    }
    const whole = await fetchPart(token, "ipa", { headers: { "user-agent": "com.apple.appstored/1.0 iOS/18.1" } });
    expect(Buffer.from(await bytesOf(whole)).equals(ipa)).toBe(true);
    const range = await fetchPart(token, "ipa", { headers: { range: "bytes=10-19" } });
    expect([range.status, Buffer.from(await bytesOf(range)).equals(ipa.subarray(10, 20))]).toEqual([206, true]);
    expect((await fetchPart(token, "ipa", { method: "HEAD" })).headers.get("content-length")).toBe(String(ipa.length));
    expect((await fetchPart(token, "manifest", { method: "HEAD" })).status).toBe(200);
    expect((await downloads(ipaId, 4)).at(-1)).toMatchObject({
      kind: "install",
      byLink: true,
      userId: null,
      userAgent: "iOS installer",
    });
  });

  it("gets a neutral icon if the app has none", async () => {
    const bare = await publish(admin, anIpa(app.identifier, { icon: null }), "Acme.ipa", { environmentId });
    expect(bare.body.iconUrl).toBeNull();
    const { token } = await link(bare.body.id);
    const image = await sharp(await bytesOf(await fetchPart(token, "icon-large"))).metadata();
    expect([image.width, image.height]).toEqual([512, 512]);
  });

  it("is refused with a wrong token or a token of another purpose", async () => {
    const { body } = await send(downloadTestingDeployAppleFile, ANONYMOUS, { token: "wrong" });
    expect(body).toMatchObject({ status: 401, code: "invalid_token" });
    await db.oneTimeToken.updateMany({ where: { purpose: "manifest" }, data: { purpose: "recovery" } });
    const { token } = await link();
    await db.oneTimeToken.updateMany({ where: { purpose: "manifest" }, data: { purpose: "recovery" } });
    expect((await send(downloadTestingDeployAppleFile, ANONYMOUS, { token })).status).toBe(401);
  });

  it("is answered that the link has expired after its time, and if the release is deleted or inactive", async () => {
    const late = await link();
    await db.oneTimeToken.updateMany({ data: { expiresAt: new Date() } });
    const { status, body } = await send(downloadTestingDeployAppleFile, ANONYMOUS, { token: late.token });
    expect([status, body.code]).toEqual([410, "link_expired"]);

    const { token } = await link();
    await db.environment.update({ where: { id: environmentId }, data: { status: "inactive" } });
    expect((await send(downloadTestingDeployAppleFile, ANONYMOUS, { token })).status).toBe(410);
    await db.environment.update({ where: { id: environmentId }, data: { status: "active" } });
    expect((await send(downloadTestingDeployAppleFile, ANONYMOUS, { token })).status).toBe(200);
    await db.oneTimeToken.updateMany({ data: { subject: crypto.randomUUID() } });
    expect((await send(downloadTestingDeployAppleFile, ANONYMOUS, { token })).status).toBe(410);
  });

  it("installs nothing if the release does not allow it or is not for iOS", async () => {
    const { token } = await link();
    await send(updateTestingDeploy, admin, { id: ipaId, iosEnabled: false });
    for (const answer of [
      await send(generateAppleManifestRequestToken, admin, { id: ipaId }),
      await send(downloadTestingDeployAppleFile, ANONYMOUS, { token }),
      await send(generateAppleManifestRequestToken, admin, { id: apkId }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, "ios_disabled"]);
    }
  });
});
