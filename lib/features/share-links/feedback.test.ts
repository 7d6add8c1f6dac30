import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noRoute } from "@/lib/api/route";
import { db } from "@/lib/db/client";
import { REMOTE_ADDRESS_HEADER } from "@/lib/http/request-facts";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { ANONYMOUS, anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { feedbackForm, screenshotPng } from "@/lib/testing/feedback";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { serveRoutes, type TestServer } from "@/lib/testing/server";
import { aShareLink } from "@/lib/testing/share-links";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createShareLinkFeedback } from "./operations/create-share-link-feedback";
import { deleteShareLink } from "./operations/delete-share-link";
import { handleShareLinks } from "./routes";

setUpTestDatabase();

const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";

let server: TestServer;
let admin: TestUser;
let place: { appId: string; identifier: string; environmentId: string };

beforeAll(async () => {
  server = await serveRoutes({ byPath: {}, below: { "/i/": handleShareLinks }, otherwise: noRoute, pages: [] });
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { appId: app.appId, identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});
beforeEach(() => db.rateLimit.deleteMany());
afterAll(() => server.close());

function visit(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "user-agent": ANDROID, "accept-language": "en", ...(init.headers as Record<string, string>) };
  return fetch(`${server.url}/i/${path}`, { redirect: "manual", ...init, headers });
}

const post = (code: string, body: FormData) => visit(`${code}/feedback`, { method: "POST", body });
const ofRelease = (releaseId: string) => db.feedback.findMany({ where: { releaseId }, orderBy: { createdAt: "asc" } });
const pictures = () => db.file.count({ where: { purpose: "screenshot", state: { not: "deleting" } } });

async function aLink(more: Record<string, unknown> = {}) {
  const fields = { environmentId: place.environmentId, description: "What changed" };
  const { body: release } = await publish(admin, await anApk(place.identifier), "Example.apk", fields);
  return { release, link: await aShareLink(admin, { releaseId: release.id, ...more }) };
}

/** What a browser sends of the form in a page if no picture was chosen: a file without a name and content (HTML, form submission). */
function postFilled(code: string, page: string, more: Record<string, string>): Promise<Response> {
  const hidden = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const fields = [...hidden.map(([, name, value]) => [name, value]), ...Object.entries(more)];
  const parts = [
    ...fields.map(([name, value]) => `name="${name}"\r\n\r\n${value}`),
    'name="screenshot"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n',
  ];
  const body = `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--b--\r\n`;
  return visit(`${code}/feedback`, {
    method: "POST",
    body,
    headers: { "content-type": "multipart/form-data; boundary=b" },
  });
}

describe("the feedback page of a share link", () => {
  it("is reached from the page of the link, runs nothing and weighs little", async () => {
    const { link } = await aLink();
    const page = await (await visit(link.code)).text();
    const path = /href="\/i\/([^"]+\/feedback[^"]*)"/.exec(page)?.[1] as string;
    const response = await visit(path.replaceAll("&amp;", "&"));
    const text = await response.text();
    expect([response.status, response.headers.get("referrer-policy")]).toEqual([200, "no-referrer"]);
    expect(response.headers.get("content-security-policy")).not.toContain("script-src");
    expect(text).not.toContain("<script");
    expect(text).not.toContain(link.name);
    expect(brotliCompressSync(text).byteLength).toBeLessThan(4_000);
  });

  it("takes a text without a picture from a browser without JavaScript, and says thanks", async () => {
    const { link, release } = await aLink();
    const page = await (await visit(`${link.code}/feedback`)).text();
    const sent = await postFilled(link.code, page, { text: "Fine\r\nso far", rating: "5" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `/i/${link.code}/feedback?sent=1`]);
    expect(await ofRelease(release.id)).toMatchObject([
      {
        text: "Fine\nso far",
        rating: 5,
        device: "android",
        osVersion: "34",
        shareLinkId: link.id,
        createdByUser: null,
        screenshotFileId: null,
        version: release.version,
      },
    ]);
    expect(await (await visit(`${link.code}/feedback?sent=1`)).text()).toContain("Thank you");
  });

  it("takes a picture", async () => {
    const { link, release } = await aLink();
    const sent = await post(link.code, await feedbackForm({}, { picture: await screenshotPng() }));
    expect(sent.status).toBe(303);
    const [feedback] = await ofRelease(release.id);
    const file = await db.file.findUniqueOrThrow({ where: { id: feedback?.screenshotFileId as string } });
    expect(file).toMatchObject({ purpose: "screenshot", contentType: "image/webp", state: "ready" });
  });

  it("shows what was entered again with the reason, escaped, if it cannot be taken", async () => {
    const { link, release } = await aLink();
    const before = await pictures();
    const text = `"><script>alert(1)</script>${"x".repeat(5_000)}`;
    for (const [form, status] of [
      [await feedbackForm({ text }), 422],
      [await feedbackForm({ text: "A PDF" }, { picture: Buffer.from("%PDF-1.7") }), 415],
      [await feedbackForm({ text: "A large one" }, { picture: Buffer.alloc(10_000_001) }), 413],
    ] as const) {
      const answer = await post(link.code, form);
      const page = await answer.text();
      expect(answer.status).toBe(status);
      expect(page).toContain('role="alert"');
      expect(page).not.toContain("<script");
      // A file that is too large is refused by its length, before the fields are read.
      if (status !== 413) expect(page).toContain('value="3" checked');
    }
    expect([await ofRelease(release.id), await pictures()]).toEqual([[], before]);
  });

  it("is in the language of the browser", async () => {
    const { link } = await aLink();
    for (const locale of LOCALES) {
      const response = await visit(`${link.code}/feedback`, { headers: { "accept-language": locale } });
      expect(await response.text()).toContain(messagesFor(locale).sharePage.feedback.text.replaceAll("'", "&#39;"));
    }
  });

  it("knows no session: an administrator's feedback by a link has no user", async () => {
    const { link, release } = await aLink();
    const body = await feedbackForm({});
    const session = admin.headers as Record<string, string>;
    await visit(`${link.code}/feedback`, { method: "POST", body, headers: { cookie: session.cookie as string } });
    expect(await ofRelease(release.id)).toMatchObject([{ createdByUser: null, shareLinkId: link.id }]);
  });
});

describe("feedback by a share link", () => {
  it("is about the release that was tried, also after a newer one was published", async () => {
    const app = await anApp();
    const own = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
    const older = await aRelease(admin, own, { version: "0.9" });
    const first = await aRelease(admin, own, { version: "1.0" });
    const { code } = await aShareLink(admin, { environmentId: own.environmentId });
    await aRelease(admin, own, { version: "2.0" });
    const tried = { version: first.version, buildNumber: first.buildNumber };
    expect((await send(createShareLinkFeedback, ANONYMOUS, { code, text: "Old", ...tried })).status).toBe(201);
    expect(await ofRelease(first.id)).toHaveLength(1);
    const answers = [];
    // The link has opened neither: it does not tell that one of them exists.
    for (const build of [
      { version: older.version, buildNumber: older.buildNumber },
      { version: "9.9", buildNumber: "9" },
    ]) {
      const { status, body } = await send(createShareLinkFeedback, ANONYMOUS, { code, text: "None", ...build });
      answers.push({ status, code: body.code, detail: body.detail });
    }
    expect(answers).toEqual([answers[1], answers[1]]);
    expect(answers[0]).toMatchObject({ status: 404, code: "not_found" });
    expect(await ofRelease(older.id)).toEqual([]);
    expect((await send(createShareLinkFeedback, ANONYMOUS, { code, text: "Half", version: "1.0" })).status).toBe(422);
  });

  it("is not about another release of the environment if the link opens one build", async () => {
    const { link, release } = await aLink();
    const { release: other } = await aLink();
    const tried = { version: other.version, buildNumber: `${other.buildNumber}1` };
    const input = { code: link.code, text: "Wrong", ...tried };
    expect((await send(createShareLinkFeedback, ANONYMOUS, input)).status).toBe(404);
    expect(await ofRelease(release.id)).toEqual([]);
  });

  it("needs the password of the link", async () => {
    const { link, release } = await aLink({ password: "correct horse" });
    const form = await feedbackForm({ code: link.code });
    const before = await pictures();
    expect((await send(createShareLinkFeedback, ANONYMOUS, form)).body.code).toBe("password_required");
    expect(await (await visit(`${link.code}/feedback`)).text()).toContain('name="password"');
    expect([await ofRelease(release.id), await pictures()]).toEqual([[], before]);
    const unlocked = await visit(link.code, {
      method: "POST",
      body: new URLSearchParams({ password: "correct horse" }),
    });
    const cookie = unlocked.headers.get("set-cookie")?.split(";")[0] as string;
    const sent = await visit(`${link.code}/feedback`, {
      method: "POST",
      body: await feedbackForm({}),
      headers: { cookie },
    });
    expect(sent.status).toBe(303);
  });

  it("ends with the link, names nobody then, and is still taken from those who have used up its installations", async () => {
    const { link } = await aLink();
    await send(deleteShareLink, admin, { id: link.id });
    const ended = await visit(`${link.code}/feedback`);
    const page = await ended.text();
    expect(ended.status).toBe(410);
    expect(page).not.toContain(place.identifier);
    expect((await send(createShareLinkFeedback, ANONYMOUS, { code: link.code, text: "Late" })).status).toBe(410);

    const { link: used, release } = await aLink({ maxInstalls: 1 });
    await visit(`${used.code}/install`, { method: "POST" });
    expect((await visit(used.code)).status).toBe(410);
    const form = await (await visit(`${used.code}/feedback`)).text();
    expect(form).not.toContain(release.displayName);
    expect((await postFilled(used.code, form, { text: "It works" })).status).toBe(303);
    expect(await ofRelease(release.id)).toHaveLength(1);
  });

  it("of an unknown code is refused before the picture is stored", async () => {
    const before = await pictures();
    const form = await feedbackForm({ code: "none" });
    expect((await send(createShareLinkFeedback, ANONYMOUS, form)).status).toBe(404);
    expect((await post("none", await feedbackForm({}))).status).toBe(404);
    expect(await pictures()).toBe(before);
  });

  it("is limited for each network and each link", async () => {
    const { link, release } = await aLink();
    const given = { code: link.code, text: "Again" };
    const from = (address: string) => ({ headers: { [REMOTE_ADDRESS_HEADER]: address } });
    const answers: number[] = [];
    for (let count = 0; count < 22; count += 1) {
      answers.push((await send(createShareLinkFeedback, ANONYMOUS, given, from("192.0.2.1"))).status);
    }
    expect(answers).toEqual([...Array(20).fill(201), 429, 429]);
    await db.rateLimit.updateMany({ where: { key: { startsWith: "share-link-feedback:" } }, data: { points: 100 } });
    expect((await send(createShareLinkFeedback, ANONYMOUS, given, from("198.51.100.1"))).status).toBe(429);
    expect(await ofRelease(release.id)).toHaveLength(20);
  });
});
