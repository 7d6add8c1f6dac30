import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noRoute } from "@/lib/api/route";
import { pushKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { HOUR_MS } from "@/lib/kernel/time";
import { makeRecipients } from "@/lib/testers/distributions";
import { secretOf } from "@/lib/testers/secrets";
import { aUser, send } from "@/lib/testing/console";
import { feedbackForm } from "@/lib/testing/feedback";
import { aPushEndpoint } from "@/lib/testing/push";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { serveRoutes, type TestServer } from "@/lib/testing/server";
import { aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteTesterGroup } from "./operations/delete-tester-group";
import { distributeRelease } from "./operations/distribute-release";
import { getReleaseDistributions } from "./operations/get-release-distributions";
import { removeTesterGroupMember } from "./operations/remove-tester-group-member";
import { handleTesterPages } from "./routes";

setUpTestDatabase();

const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";

let server: TestServer;
let world: World;

beforeAll(async () => {
  process.env.SMTP_URL = "smtp://127.0.0.1:9";
  server = await serveRoutes({ byPath: {}, below: { "/t/": handleTesterPages }, otherwise: noRoute, pages: [] });
  world = await makeWorld();
});
afterAll(() => server.close());

function visit(path: string, init: RequestInit = {}, userAgent = ANDROID): Promise<Response> {
  const headers = { "user-agent": userAgent, "accept-language": "en", ...(init.headers as Record<string, string>) };
  return fetch(`${server.url}/t/${path}`, { redirect: "manual", ...init, headers });
}
const post = (path: string, fields: Record<string, string> = {}, userAgent = ANDROID) =>
  visit(path, { method: "POST", body: new URLSearchParams(fields) }, userAgent);

/** A member of a new group without an account, with their secret. */
async function aTester({ agreed = true } = {}) {
  const email = `${randomUUID()}@example.test`;
  const { id: groupId } = await aTesterGroup(world.admin, { appId: world.app.appId, emails: [email] });
  const { id } = await db.tester.findFirstOrThrow({ where: { email } });
  const secret = await secretOf(db, id);
  if (agreed) await post(`${secret}/confirm`);
  return { id, email, groupId, secret };
}

async function anApkRelease() {
  const bytes = await anApk(world.app.identifier);
  return (await publish(world.admin, bytes, "Example.apk", { environmentId: world.environmentId })).body;
}

async function distributed(groupId: string, release?: { id: string }) {
  const published = release ?? (await anApkRelease());
  await send(distributeRelease, world.admin, { releaseId: published.id, groupIds: [groupId] });
  await makeRecipients(() => new Date());
  return published;
}

const stateOf = async (groupId: string) => (await membersOf(world.admin, groupId))[0].state;

describe("the link of the first mail", () => {
  it("agrees by its button, and not by being opened", async () => {
    const { secret, groupId, email } = await aTester({ agreed: false });
    await distributed(groupId);
    for (const method of ["GET", "HEAD"]) expect((await visit(secret, { method })).status).toBe(200);
    const text = await (await visit(secret)).text();
    expect(text).toContain(email);
    expect(text).not.toContain("Version 1.0");
    expect(await stateOf(groupId)).toBe("pending");
    expect((await visit(`${secret}/confirm`)).status).toBe(405);
    const answer = await post(`${secret}/confirm`);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/t/${secret}`]);
    expect(await stateOf(groupId)).toBe("confirmed");
    expect(await (await visit(secret)).text()).toContain("Version 1.0");
  });

  it("of a release asks first", async () => {
    const { secret, groupId } = await aTester({ agreed: false });
    const release = await distributed(groupId);
    const text = await (await visit(`${secret}/${release.id}`)).text();
    expect(text).toContain(messagesFor("en").testerPage.confirm.button);
    expect((await post(`${secret}/${release.id}/install`)).status).toBe(404);
  });
});

describe("the page of somebody without an account", () => {
  it("has a policy that runs nothing, is not listed, and sends its address to nobody", async () => {
    const { secret, groupId } = await aTester();
    const release = await distributed(groupId);
    for (const path of [secret, `${secret}/${release.id}`, `${secret}/unsubscribe?app=${world.app.appId}`]) {
      const { status, headers } = await visit(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self';/,
      );
      // The list is an app that shows notifications, by the console's own script.
      expect([path, headers.get("content-security-policy")?.includes("script-src 'self';")]).toEqual([
        path,
        path === secret,
      ]);
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  it("has what was distributed to their groups, and nothing else", async () => {
    const { secret, groupId } = await aTester();
    const stranger = await aTester();
    const [own, foreign, never] = [
      await distributed(groupId),
      await distributed(stranger.groupId),
      await anApkRelease(),
    ];
    const text = await (await visit(secret)).text();
    expect([own, foreign, never].map(({ id }) => text.includes(id))).toEqual([true, false, false]);
    // Builds of several systems can have one version.
    expect(text).toContain(`<p class="muted small">${own.platform.name} · `);
    const ownScript = '<script src="/tester.js" defer></script>';
    expect(text.replace(ownScript, "")).not.toMatch(/<script|javascript:|\son\w+=|_next/i);
    for (const hidden of [world.admin.userId, world.environmentId, groupId, "Testing"])
      expect(text).not.toContain(hidden);
    for (const { id } of [foreign, never]) {
      expect((await visit(`${secret}/${id}`)).status).toBe(404);
      expect((await post(`${secret}/${id}/install`)).status).toBe(404);
    }
  });

  it("opens nothing more once they are removed from the group, or the environment is switched off", async () => {
    const { secret, groupId } = await aTester();
    const release = await distributed(groupId);
    const open = async () => (await visit(`${secret}/${release.id}`)).status;
    expect(await open()).toBe(200);
    const setStatus = (status: "active" | "inactive") =>
      db.environment.update({ where: { id: world.environmentId }, data: { status } });
    await setStatus("inactive");
    expect(await open()).toBe(404);
    await setStatus("active");
    const [member] = await membersOf(world.admin, groupId);
    await send(removeTesterGroupMember, world.admin, { groupId, memberId: member.id });
    expect(await open()).toBe(404);
  });

  it("installs over the roads of a share link, and is kept as opened and installed", async () => {
    const { secret, groupId, email } = await aTester();
    const apk = await distributed(groupId);
    const ipa = await aRelease(world.admin, { identifier: world.app.identifier, environmentId: world.environmentId });
    await distributed(groupId, ipa);
    const android = (await post(`${secret}/${apk.id}/install`)).headers.get("location") as string;
    expect(await (await visit(android.slice(3))).text()).toContain("/api/apps/download-testing-deploy-by-token?token=");
    const iphone = (await post(`${secret}/${ipa.id}/install`, {}, IPHONE)).headers.get("location") as string;
    expect(await (await visit(iphone.slice(3), {}, IPHONE)).text()).toContain(
      "1;url=itms-services://?action=download-manifest",
    );
    // An iPad presents itself as a Mac.
    const ipad = (await post(`${secret}/${ipa.id}/install?device=ipad`, {}, MAC)).headers.get("location") as string;
    expect(await (await visit(ipad.slice(3), {}, MAC)).text()).toContain("1;url=itms-services://?action=");
    const { items, counts } = (await send(getReleaseDistributions, world.admin, { releaseId: apk.id })).body;
    expect(items).toMatchObject([{ email, openedAt: expect.any(String), installedAt: expect.any(String) }]);
    expect(counts).toMatchObject({ recipients: 1, opened: 1, installed: 1 });
  });

  it("speaks the language that the browser asks for", async () => {
    const { secret } = await aTester();
    for (const locale of LOCALES) {
      const text = await (await visit(secret, { headers: { "accept-language": locale } })).text();
      expect(text).toContain(`<html lang="${locale}">`);
      expect(text).toContain(messagesFor(locale).testerPage.title);
    }
  });

  it("is not found with another secret, path or method", async () => {
    const { secret } = await aTester();
    for (const path of ["x".repeat(43), "", `${secret}/other`, `${secret}/constructor`, `${secret}/confirm/more`])
      expect([path, (await visit(path)).status]).toEqual([path, path.endsWith("confirm/more") ? 404 : 404]);
    expect((await visit(secret, { method: "PUT" })).status).toBe(405);
    expect((await post(`${secret}/mails`, { app: randomUUID(), notify: "on" })).status).toBe(404);
  });
});

describe("unsubscribing", () => {
  it("is done by one press without a sign-in, as mail programs send it, and not by opening", async () => {
    const { secret, groupId } = await aTester();
    await distributed(groupId);
    const path = `${secret}/unsubscribe?app=${world.app.appId}`;
    expect((await visit(path)).status).toBe(200);
    expect(await stateOf(groupId)).toBe("confirmed");
    const answer = await post(path, { "List-Unsubscribe": "One-Click" });
    expect(answer.status).toBe(200);
    expect(await stateOf(groupId)).toBe("off");
    expect(
      await db.releaseRecipient.count({
        where: { mailDue: true, tester: { secretHash: { not: null } }, untold: null },
      }),
    ).toBe(await db.releaseRecipient.count({ where: { mailDue: true, untold: null } }));
    await post(`${secret}/mails`, { app: world.app.appId, notify: "on" });
    expect(await stateOf(groupId)).toBe("confirmed");
  });

  it("and turning the mails on again uses an address again that was refused", async () => {
    const { id, secret, groupId } = await aTester();
    await db.tester.update({ where: { id }, data: { bouncedAt: new Date() } });
    await post(`${secret}/mails`, { app: world.app.appId, notify: "off" });
    expect(await stateOf(groupId)).toBe("bounced");
    await post(`${secret}/mails`, { app: world.app.appId, notify: "on" });
    expect(await stateOf(groupId)).toBe("confirmed");
  });

  it("drops what was still to be told", async () => {
    const { id, secret, groupId } = await aTester();
    await distributed(groupId);
    expect(await db.releaseRecipient.count({ where: { testerId: id, mailDue: true } })).toBe(1);
    await post(`${secret}/unsubscribe?app=${world.app.appId}`);
    expect(await db.releaseRecipient.findMany({ where: { testerId: id } })).toMatchObject([
      { mailDue: false, untold: "off" },
    ]);
    expect(await db.testerMail.findMany({ where: { testerId: id } })).toMatchObject([{ dueAt: null }]);
  });

  it("is all that the secret of a user opens", async () => {
    const user = await aUser({ grants: [{ scopes: ["release:read"] }] });
    const { id: groupId } = await aTesterGroup(world.admin, { appId: world.app.appId, userIds: [user.userId] });
    const release = await distributed(groupId);
    const { id } = await db.tester.findFirstOrThrow({ where: { userId: user.userId } });
    const secret = await secretOf(db, id);
    expect((await visit(secret)).headers.get("location")).toBe("/home");
    expect((await visit(`${secret}/${release.id}`)).status).toBe(404);
    expect((await post(`${secret}/${release.id}/install`)).status).toBe(404);
    expect((await post(`${secret}/confirm`)).status).toBe(404);
    expect((await post(`${secret}/unsubscribe?app=${world.app.appId}`)).status).toBe(200);
    expect(await stateOf(groupId)).toBe("off");
  });
});

it("a secret is stored as a hash and sealed, and stays the same", async () => {
  const { id, secret } = await aTester();
  expect(await secretOf(db, id)).toBe(secret);
  const row = await db.tester.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(row.secret as Uint8Array).includes(secret)).toBe(false);
});

describe("notifications in the browser of somebody without an account", () => {
  const fieldsOf = ({ endpoint, keys }: ReturnType<typeof aPushEndpoint>) => ({ endpoint, ...keys });

  it("are turned on and off by the script of their page, whose browser is theirs alone", async () => {
    const { id, secret, groupId } = await aTester();
    const text = await (await visit(secret)).text();
    expect(text).toContain(`data-key="${(await pushKeys()).publicKey}"`);
    expect(text).toContain('<script src="/tester.js" defer></script>');
    const endpoint = aPushEndpoint();
    expect((await post(`${secret}/push`, fieldsOf(endpoint))).status).toBe(204);
    expect(await db.pushSubscription.findMany({ where: { testerId: id }, select: { host: true } })).toEqual([
      { host: "push.example" },
    ]);
    const release = await distributed(groupId);
    expect(await db.pushMessage.count({ where: { releaseId: release.id } })).toBe(1);
    const other = await aTester();
    await post(`${other.secret}/push-off`, { endpoint: endpoint.endpoint });
    expect(await db.pushSubscription.count({ where: { testerId: id } })).toBe(1);
    expect((await post(`${secret}/push-off`, { endpoint: endpoint.endpoint })).status).toBe(204);
    expect(await db.pushSubscription.count({ where: { testerId: id } })).toBe(0);
  });

  it("are dropped with the mails when somebody unsubscribes", async () => {
    const { id, secret, groupId } = await aTester();
    await post(`${secret}/push`, fieldsOf(aPushEndpoint()));
    await distributed(groupId);
    await post(`${secret}/unsubscribe?app=${world.app.appId}`);
    expect(await db.pushMessage.count({ where: { subscription: { testerId: id } } })).toBe(0);
    expect(await db.releaseRecipient.findFirstOrThrow({ where: { testerId: id } })).toMatchObject({
      mailDue: false,
      untold: "off",
    });
  });

  it("are refused before somebody has agreed, and to addresses that are not public", async () => {
    const { secret } = await aTester({ agreed: false });
    for (const path of ["push", "push-off"]) {
      expect((await post(`${secret}/${path}`, fieldsOf(aPushEndpoint()))).status).toBe(404);
    }
    expect((await visit(`${secret}/manifest.webmanifest`)).status).toBe(404);
    const agreed = await aTester();
    for (const endpoint of ["https://10.0.0.1/x", "http://push.example/x", "", "x"]) {
      expect((await post(`${agreed.secret}/push`, fieldsOf({ ...aPushEndpoint(), endpoint }))).status).toBe(422);
    }
  });

  it("come from an app whose manifest opens the page", async () => {
    const { secret } = await aTester();
    const answer = await visit(`${secret}/manifest.webmanifest`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/manifest+json"]);
    expect(await answer.json()).toMatchObject({
      start_url: `/t/${secret}`,
      scope: `/t/${secret}`,
      display: "standalone",
    });
  });
});

it("calls of a network are limited", async () => {
  await visit("nobody");
  const key = { startsWith: "tester-page:" };
  // All but one of the minute's calls, in a minute that does not end before the answers, however slow they are.
  const data = { points: 599, expire: Date.now() + HOUR_MS };
  expect(await db.rateLimit.updateMany({ where: { key }, data })).toEqual({ count: 1 });
  expect([(await visit("nobody")).status, (await visit("nobody")).status]).toEqual([404, 429]);
});

describe("a release that a tester opens by its link", () => {
  const { testerPage, sharePage, install } = messagesFor("en");
  beforeEach(() => db.rateLimit.deleteMany());

  it("is no longer available once their group is deleted, and the page says where the others are", async () => {
    const { secret, groupId } = await aTester();
    const release = await distributed(groupId);
    await send(deleteTesterGroup, world.admin, { id: groupId });
    const answer = await visit(`${secret}/${release.id}`);
    const text = await answer.text();
    expect(answer.status).toBe(404);
    expect(text).toContain(testerPage.unavailable.title);
    expect(text).toContain(`<a class="button" href="/t/${secret}">${testerPage.back}</a>`);
    expect((await visit(`${randomUUID()}/${release.id}`)).status).toBe(404);
  });

  it("leads on after the button: to the steps that are left, to feedback and to all versions", async () => {
    const { secret, groupId } = await aTester();
    const release = await distributed(groupId);
    const began = await post(`${secret}/${release.id}/install`);
    const text = await (await visit((began.headers.get("location") as string).slice("/t/".length))).text();
    expect(text).toContain(install.reasons.unknown_sources.title);
    expect(text).toContain(`<a href="/t/${secret}/${release.id}/feedback">${sharePage.feedback.give}</a>`);
    expect(text).toContain(`<a href="/t/${secret}">${testerPage.back}</a>`);
  });

  it("takes feedback with a picture, which names nobody", async () => {
    const { secret, groupId } = await aTester();
    const release = await distributed(groupId);
    const path = `${secret}/${release.id}/feedback`;
    expect(await (await visit(path)).text()).toContain(`action="/t/${path}"`);
    const answer = await visit(path, { method: "POST", body: await feedbackForm({ text: "The cart is empty." }) });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/t/${path}?sent=1`]);
    expect(await (await visit(`${path}?sent=1`)).text()).toContain(sharePage.feedback.thanks);
    const [given] = await db.feedback.findMany({ where: { releaseId: release.id } });
    expect(given).toMatchObject({
      text: "The cart is empty.",
      rating: 3,
      device: "android",
      createdByUser: null,
      shareLinkId: null,
    });
    expect(given?.screenshotFileId).not.toBeNull();
  });

  it("shows what was entered if feedback is not taken, and takes none on what the tester does not get", async () => {
    const { secret, groupId } = await aTester();
    const [own, other] = [await distributed(groupId), await anApkRelease()];
    const wrong = await visit(`${secret}/${own.id}/feedback`, {
      method: "POST",
      body: await feedbackForm({ text: "Kept", rating: "9" }),
    });
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining(">Kept</textarea>")]);
    const form = await feedbackForm({ text: "Not taken" });
    expect((await visit(`${secret}/${other.id}/feedback`, { method: "POST", body: form })).status).toBe(404);
    expect(await db.feedback.count({ where: { text: { in: ["Kept", "Not taken"] } } })).toBe(0);
  });
});
