import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { updateEnvironmentApp } from "@/lib/features/environments/operations/update-environment-app";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { downloadTestingDeployAppleFile } from "@/lib/features/releases/operations/download-testing-deploy-apple-file";
import { downloadTestingDeployByToken } from "@/lib/features/releases/operations/download-testing-deploy-by-token";
import { REMOTE_ADDRESS_HEADER } from "@/lib/http/request-facts";
import { ANONYMOUS, type Answer, anApp, aUser, auditCount, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { anApk, anIpa, aRelease, publish } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { setUpTestDatabase } from "@/scripts/test-database";
import { unlock } from "./internal/unlocking";
import { beginShareLinkInstall } from "./operations/begin-share-link-install";
import { createShareLink } from "./operations/create-share-link";
import { deleteShareLink } from "./operations/delete-share-link";
import { getShareLinks } from "./operations/get-share-links";
import { openShareLink } from "./operations/open-share-link";
import { unlockShareLink } from "./operations/unlock-share-link";
import { updateShareLink } from "./operations/update-share-link";

setUpTestDatabase();

const IPHONE = {
  "user-agent":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
};
const ANDROID = {
  "user-agent":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
};
const PASSWORD = "correct horse";

let admin: TestUser;
let place: { appId: string; identifier: string; environmentId: string };

beforeAll(async () => {
  await ensureServerKeys();
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { appId: app.appId, identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

async function anotherPlace(): Promise<typeof place> {
  const app = await anApp();
  return { appId: app.appId, identifier: app.identifier, environmentId: app.environmentIds[0] as string };
}

const open = (code: string, headers: Record<string, string> = {}) =>
  send(openShareLink, ANONYMOUS, { code }, { headers });
const begin = (code: string, headers: Record<string, string> = {}) =>
  send(beginShareLinkInstall, ANONYMOUS, { code }, { headers });
const told = ({ status, body }: Answer) => [status, body.code];
const tokenOf = ({ body }: Answer) => new URL(body.url).searchParams.get("token") as string;
const from = (address: string) => ({ [REMOTE_ADDRESS_HEADER]: address });
const cookieOf = ({ headers }: Answer) => ({ cookie: headers.get("set-cookie")?.split(";")[0] as string });

async function counts(id: string) {
  const { openCount, installCount } = await db.shareLink.findUniqueOrThrow({ where: { id } });
  return { opened: openCount, installed: installCount };
}

describe("a share link", () => {
  it("has a code of 128 bits, of which the database has a hash and a sealed copy", async () => {
    const { id } = await aRelease(admin, place);
    const answer = await send(createShareLink, admin, { releaseId: id, name: " For Acme ", password: PASSWORD });
    expect(answer.status).toBe(201);
    const { code, url } = answer.body;
    expect(Buffer.from(code, "base64url")).toHaveLength(16);
    expect(url).toMatch(new RegExp(`^https?://.*/i/${code}$`));
    expect(answer.body).toMatchObject({ name: "For Acme", hasPassword: true, opened: 0, installed: 0, ended: null });
    const row = await db.shareLink.findUniqueOrThrow({ where: { id: answer.body.id } });
    const kept = Buffer.concat([row.codeHash, row.code as Uint8Array]);
    expect(kept.includes(code) || kept.includes(Buffer.from(code, "base64url"))).toBe(false);
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "ShareLink", action: "create", recordId: answer.body.id });
    expect(JSON.stringify(record.changes)).not.toMatch(/argon2|horse/);
  });

  it("is shown again, with its address and counts, to those who may change releases, and to nobody else", async () => {
    const own = await anotherPlace();
    const link = await aShareLink(admin, { environmentId: own.environmentId });
    const may = await aUser({ grants: [{ scopes: ["release:update"], apps: [{ appId: own.appId }] }] });
    const mayNot = await aUser({ grants: [{ scopes: ["release:download"], apps: [{ appId: own.appId }] }] });
    const { body } = await send(getShareLinks, may, { environmentId: own.environmentId });
    expect(body).toEqual({ items: [link], nextCursor: null, total: 1 });
    expect((await send(getShareLinks, mayNot, { environmentId: own.environmentId })).status).toBe(403);
    expect((await send(updateShareLink, mayNot, { id: link.id, name: "Mine" })).status).toBe(403);
  });

  it("is in the list of its application for those who may change releases there, and of no other environment", async () => {
    const app = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [first, second] = app.environmentIds as [string, string];
    const [one, other] = [
      await aShareLink(admin, { environmentId: first }),
      await aShareLink(admin, { environmentId: second }),
    ];
    await anotherPlace().then(({ environmentId }) => aShareLink(admin, { environmentId }));
    const may = await aUser({
      grants: [
        { scopes: ["release:update"], apps: [{ appId: app.appId, environmentIds: [first] }] },
        { scopes: ["release:download"], apps: [{ appId: app.appId, environmentIds: [second] }] },
      ],
    });
    const idsOf = async (caller: TestUser) =>
      (await send(getShareLinks, caller, { appId: app.appId })).body.items.map(({ id }: { id: string }) => id);
    expect(await idsOf(admin)).toEqual([other.id, one.id]);
    expect(await idsOf(may)).toEqual([one.id]);
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId: second });
    for (const wrong of [
      { appId: place.appId, environmentId: first },
      { environmentId: first, releaseId },
    ])
      expect((await send(getShareLinks, admin, wrong)).status).toBe(404);
    expect((await send(getShareLinks, admin, {})).status).toBe(422);
  });

  it("opens one release or always the latest, and not both", async () => {
    const { id } = await aRelease(admin, place);
    const wrong = [
      { name: "None" },
      { name: "Both", releaseId: id, environmentId: place.environmentId },
      { name: "Platform", releaseId: id, platformId: "019a0000-0000-7000-8000-000000000011" },
      { name: "Past", releaseId: id, expiresAt: new Date(Date.now() - 1_000).toISOString() },
      { name: "Short", releaseId: id, password: "abc" },
      { name: "Few", releaseId: id, maxInstalls: 0 },
      { name: "Elsewhere", environmentId: place.environmentId, platformId: "019a0000-0000-7000-8000-00000000dead" },
    ];
    const before = [await auditCount(), await db.shareLink.count()];
    for (const input of wrong)
      expect([input.name, (await send(createShareLink, admin, input)).status]).toEqual([input.name, 422]);
    expect([await auditCount(), await db.shareLink.count()]).toEqual(before);
  });
});

describe("opening a link", () => {
  it("tells what the page needs, and nothing of the console but that", async () => {
    const { id } = await aRelease(admin, place);
    const link = await aShareLink(admin, { releaseId: id, name: "For Acme", maxInstalls: 7 });
    const { status, body } = await open(link.code, IPHONE);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["expiresAt", "hasPassword", "install", "onlyPhones", "release", "url"]);
    expect(body.release).toMatchObject({
      version: "1.0.0",
      platform: "ios",
      notesHtml: expect.stringContaining("What changed"),
    });
    const text = JSON.stringify(body);
    for (const secret of [id, link.id, place.appId, place.environmentId, admin.userId, "For Acme", "Testing"])
      expect(text).not.toContain(secret);
    expect(await counts(link.id)).toEqual({ opened: 1, installed: 0 });
  });

  it("counts no previews and no HEAD", async () => {
    const link = await aShareLink(admin, { environmentId: place.environmentId });
    await open(link.code, { "user-agent": "WhatsApp/2.23.20.0" });
    await open(link.code, { "sec-purpose": "prefetch" });
    await sendRaw(openShareLink, ANONYMOUS, { code: link.code }, { method: "HEAD" });
    expect(await counts(link.id)).toEqual({ opened: 0, installed: 0 });
  });

  it("hides the notes where the link does", async () => {
    const { id } = await aRelease(admin, place);
    const link = await aShareLink(admin, { releaseId: id, showNotes: false });
    expect((await open(link.code)).body.release.notesHtml).toBeNull();
  });

  it("answers 404 for a code that never was, whatever its length", async () => {
    for (const code of ["x", "A".repeat(22), "A".repeat(199), "../../etc/passwd", "é"])
      expect(told(await open(code))).toEqual([404, "not_found"]);
  });

  it("answers 410 for a link that has ended, and does not say why or whose it was", async () => {
    const own = await anotherPlace();
    const [kept, gone] = [await aRelease(admin, own), await aRelease(admin, own)];
    const links = {
      deleted: await aShareLink(admin, { releaseId: kept.id, name: "Acme Corporation" }),
      ended: await aShareLink(admin, { releaseId: kept.id, name: "Acme Corporation" }),
      usedUp: await aShareLink(admin, { releaseId: kept.id, name: "Acme Corporation", maxInstalls: 1 }),
      ofDeleted: await aShareLink(admin, { releaseId: gone.id, name: "Acme Corporation" }),
      inactive: await aShareLink(admin, { releaseId: kept.id, name: "Acme Corporation" }),
    };
    await send(deleteShareLink, admin, { id: links.deleted.id });
    await send(updateShareLink, admin, { id: links.ended.id, expiresAt: new Date().toISOString() });
    expect((await begin(links.usedUp.code)).status).toBe(200);
    await send(deleteTestingDeploy, admin, { id: gone.id });
    const details = new Set<string>();
    const requireEnded = async (code: string) => {
      for (const answer of [await open(code), await begin(code)]) {
        expect(told(answer)).toEqual([410, "link_ended"]);
        expect(JSON.stringify(answer.body)).not.toMatch(/Acme|Example/);
        details.add(answer.body.detail);
      }
    };
    for (const { code } of [links.deleted, links.ended, links.usedUp, links.ofDeleted]) await requireEnded(code);
    await send(updateEnvironmentApp, admin, { id: own.environmentId, status: "inactive" });
    await requireEnded(links.inactive.code);
    expect(details.size).toBe(1);
    const { body } = await send(getShareLinks, admin, { environmentId: own.environmentId });
    expect(body.items.map(({ ended }: { ended: string }) => ended)).toEqual([
      "inactive",
      "release-deleted",
      "used-up",
      "expired",
    ]);
  });
});

describe("a link to the latest release", () => {
  it("opens nothing yet, then the release for the system of the device, and each newer one", async () => {
    const own = await anotherPlace();
    const link = await aShareLink(admin, { environmentId: own.environmentId });
    expect((await open(link.code)).body).toMatchObject({ release: null, install: null });
    await aRelease(admin, own, { version: "1.0.0" });
    await publish(admin, await anApk(own.identifier), "Example.apk", { environmentId: own.environmentId });
    const platformOn = async (headers: Record<string, string>) =>
      (await open(link.code, headers)).body.release.platform;
    expect([await platformOn(IPHONE), await platformOn(ANDROID)]).toEqual(["ios", "android"]);
    await aRelease(admin, own, { version: "2.0.0" });
    expect((await open(link.code, IPHONE)).body.release.version).toBe("2.0.0");
  });

  it("follows one platform where it names one", async () => {
    const own = await anotherPlace();
    const { platform } = await aRelease(admin, own);
    await publish(admin, await anApk(own.identifier), "Example.apk", { environmentId: own.environmentId });
    const link = await aShareLink(admin, { environmentId: own.environmentId, platformId: platform.id });
    const { body } = await open(link.code, ANDROID);
    expect([body.release.platform, body.install]).toEqual([
      "ios",
      {
        verdict: "does_not_install",
        way: null,
        reasons: [
          { code: "wrong_system", severity: "blocks", params: { for: "ios" } },
          // The tests run with an authority of the console's own.
          { code: "chain_not_trusted", severity: "step", params: {} },
        ],
      },
    ]);
  });
});

describe("a link to a release of a build", () => {
  it("opens the file of the build that is for the device, and its own on a computer", async () => {
    const own = await anotherPlace();
    const ipa = await aRelease(admin, own, { version: "3.1", build: "7" });
    const apk = await anApk(own.identifier, { versionName: "3.1", versionCode: 7 });
    await publish(admin, apk, "Example.apk", { environmentId: own.environmentId });
    await aRelease(admin, own, { version: "9.0" });
    const link = await aShareLink(admin, { releaseId: ipa.id });
    const opened = async (headers: Record<string, string>) => {
      const { release } = (await open(link.code, headers)).body;
      return [release.platform, release.version];
    };
    expect([await opened(IPHONE), await opened(ANDROID), await opened({})]).toEqual([
      ["ios", "3.1"],
      ["android", "3.1"],
      ["ios", "3.1"],
    ]);
  });
});

describe("a password", () => {
  it("is asked for, and opens its own link in the browser that gave it", async () => {
    const { id } = await aRelease(admin, place);
    const [link, other] = [
      await aShareLink(admin, { releaseId: id, password: PASSWORD }),
      await aShareLink(admin, { releaseId: id, password: PASSWORD }),
    ];
    expect(told(await open(link.code))).toEqual([401, "password_required"]);
    expect(told(await begin(link.code))).toEqual([401, "password_required"]);
    const answer = await send(unlockShareLink, ANONYMOUS, { code: link.code, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Lax(; Secure)?; Max-Age=43200$/);
    const cookie = cookieOf(answer);
    expect((await open(link.code, cookie)).status).toBe(200);
    expect((await begin(link.code, cookie)).status).toBe(200);
    expect(told(await open(other.code, cookie))).toEqual([401, "password_required"]);
    const name = (code: string) => `slipway-link-${createHash("sha256").update(code).digest("hex").slice(0, 32)}`;
    expect(cookie.cookie).toMatch(new RegExp(`^(__Host-)?${name(link.code)}=`));
    expect(answer.headers.get("set-cookie")).not.toContain(link.id);
    const renamed = { cookie: cookie.cookie.replace(name(link.code), name(other.code)) };
    expect(told(await open(other.code, renamed))).toEqual([401, "password_required"]);
  });

  it("no longer opens after it was changed, and is not asked for after it was removed", async () => {
    const link = await aShareLink(admin, { environmentId: place.environmentId, password: PASSWORD });
    const cookie = cookieOf(await send(unlockShareLink, ANONYMOUS, { code: link.code, password: PASSWORD }));
    await send(updateShareLink, admin, { id: link.id, name: "Renamed" });
    expect((await open(link.code, cookie)).status).toBe(200);
    await send(updateShareLink, admin, { id: link.id, password: "another one" });
    expect(told(await open(link.code, cookie))).toEqual([401, "password_required"]);
    const { body } = await send(updateShareLink, admin, { id: link.id, password: null });
    expect([body.hasPassword, (await open(link.code)).status]).toEqual([false, 200]);
  });

  it("opens nothing if it was changed while it was compared", async () => {
    const { code, id } = await aShareLink(admin, { environmentId: place.environmentId, password: PASSWORD });
    const read = await db.shareLink.findUniqueOrThrow({ where: { id } });
    await send(updateShareLink, admin, { id, password: "another one" });
    const facts = { ip: "192.0.2.9", now: new Date() };
    await expect(unlock({ ...read, hash: "" }, PASSWORD, facts)).rejects.toThrow(
      expect.objectContaining({ code: "password_required" }),
    );
    expect((await send(unlockShareLink, ANONYMOUS, { code, password: "another one" })).status).toBe(200);
  });

  it("can be guessed ten times for a link in a network: of a hundred, the others are not compared", async () => {
    const [link, other] = [
      await aShareLink(admin, { environmentId: place.environmentId, password: PASSWORD }),
      await aShareLink(admin, { environmentId: place.environmentId, password: PASSWORD }),
    ];
    const guess = (code: string, password: string, address: string) =>
      send(unlockShareLink, ANONYMOUS, { code, password }, { headers: from(address) });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => guess(link.code, `wrong ${index}`, "192.0.2.7")),
    );
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === "password_required")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(90);
    expect(told(await guess(link.code, PASSWORD, "192.0.2.7"))).toEqual([429, "rate_limited"]);
    expect((await guess(link.code, PASSWORD, "192.0.2.8")).status).toBe(200);
    expect((await guess(other.code, PASSWORD, "192.0.2.8")).status).toBe(200);
  });

  it("can be guessed forty times for a link in a /48, which closes it to nobody else", async () => {
    const link = await aShareLink(admin, { environmentId: place.environmentId, password: PASSWORD });
    const guess = (password: string, address: string) =>
      send(unlockShareLink, ANONYMOUS, { code: link.code, password }, { headers: from(address) });
    await guess("wrong", "2001:db8:7:1::1");
    await db.rateLimit.updateMany({ where: { key: { startsWith: "share-link-site:" } }, data: { points: 40 } });
    const counted = () => db.rateLimit.findUniqueOrThrow({ where: { key: `share-link:${link.id}` } });
    expect(told(await guess(PASSWORD, "2001:db8:7:2::1"))).toEqual([429, "rate_limited"]);
    expect((await counted()).points).toBe(1);
    expect((await guess(PASSWORD, "2001:db8:8:1::1")).status).toBe(200);
  });

  it("that is right uses up no tries, of the link and of the network", async () => {
    await db.rateLimit.deleteMany();
    const { code } = await aShareLink(admin, { environmentId: place.environmentId, password: PASSWORD });
    const headers = from("2001:db8:9::1");
    expect((await send(unlockShareLink, ANONYMOUS, { code, password: PASSWORD }, { headers })).status).toBe(200);
    const counters = await db.rateLimit.findMany({ where: { key: { startsWith: "share-link" } } });
    expect(counters.map(({ points }) => points)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("an installation", () => {
  it("happens as often as the link allows: three of a hundred at once", async () => {
    const { id } = await aRelease(admin, place);
    const link = await aShareLink(admin, { releaseId: id, maxInstalls: 3 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => begin(link.code, ANDROID)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === "link_ended")).toHaveLength(97);
    expect(await counts(link.id)).toMatchObject({ installed: 3 });
    await send(updateShareLink, admin, { id: link.id, maxInstalls: 4 });
    expect((await begin(link.code, ANDROID)).status).toBe(200);
    expect(told(await begin(link.code, ANDROID))).toEqual([410, "link_ended"]);
  });

  it("counts once, however many ranges and retries its device asks for", async () => {
    const bytes = await anApk(place.identifier);
    const release = await publish(admin, bytes, "Example.apk", { environmentId: place.environmentId });
    const link = await aShareLink(admin, { releaseId: release.body.id, maxInstalls: 1 });
    const token = tokenOf(await begin(link.code, ANDROID));
    const middle = Math.floor(bytes.length / 2);
    const fetchRange = (range: string) =>
      send(downloadTestingDeployByToken, ANONYMOUS, { token }, { headers: { range } });
    for (const range of [`bytes=0-${middle}`, `bytes=${middle + 1}-`, `bytes=${middle + 1}-`])
      expect((await fetchRange(range)).status).toBe(206);
    expect((await send(downloadTestingDeployByToken, ANONYMOUS, { token })).status).toBe(200);
    expect(await counts(link.id)).toMatchObject({ installed: 1 });
  });

  it("takes the road of iOS on an iPhone: the manifest, the installer and the images", async () => {
    const { id } = await aRelease(admin, place);
    const link = await aShareLink(admin, { releaseId: id });
    const { body } = await begin(link.code, IPHONE);
    expect(body).toMatchObject({
      way: "itms-services",
      url: expect.stringMatching(/^itms-services:\/\/\?action=download-manifest&url=http/),
    });
    const manifestUrl = new URL(new URL(body.url).searchParams.get("url") as string);
    const token = manifestUrl.searchParams.get("token") as string;
    const parts = ["manifest", "ipa", "icon", "icon-large"];
    for (const part of parts)
      expect((await send(downloadTestingDeployAppleFile, ANONYMOUS, { token, part })).status).toBe(200);
    expect(await counts(link.id)).toMatchObject({ installed: 1 });
    expect((await send(downloadTestingDeployByToken, ANONYMOUS, { token })).status).toBe(401);
  });

  it("is for phones where the link says so", async () => {
    const { body: release } = await publish(admin, await anApk(place.identifier), "Example.apk", {
      environmentId: place.environmentId,
    });
    const link = await aShareLink(admin, { releaseId: release.id, onlyPhones: true });
    expect(told(await begin(link.code))).toEqual([403, "forbidden"]);
    expect(await counts(link.id)).toMatchObject({ installed: 0 });
    expect((await begin(link.code, ANDROID)).status).toBe(200);
  });

  it("does not go past what the release says of iOS", async () => {
    const form = { environmentId: place.environmentId, iosEnabled: "false" };
    const { body } = await publish(admin, anIpa(place.identifier), "Example.ipa", form);
    const link = await aShareLink(admin, { releaseId: body.id });
    expect(told(await begin(link.code, IPHONE))).toEqual([409, "ios_disabled"]);
    expect(await counts(link.id)).toMatchObject({ installed: 0 });
  });
});
