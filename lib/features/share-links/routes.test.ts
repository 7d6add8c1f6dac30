import { brotliCompressSync } from "node:zlib";
import { makeAab } from "@slipway/installers/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRoute } from "@/lib/api/route";
import { db } from "@/lib/db/client";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { anApp, aUser, type TestUser } from "@/lib/testing/console";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { serveRoutes, type TestServer } from "@/lib/testing/server";
import { aShareLink } from "@/lib/testing/share-links";
import { setUpTestDatabase } from "@/scripts/test-database";
import { handleShareLinks } from "./routes";

setUpTestDatabase();

const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

let server: TestServer;
let admin: TestUser;
let place: { appId: string; identifier: string; environmentId: string };

beforeAll(async () => {
  server = await serveRoutes({ byPath: {}, below: { "/i/": handleShareLinks }, otherwise: noRoute, pages: [] });
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { appId: app.appId, identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

afterAll(() => server.close());

function visit(path: string, userAgent: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "user-agent": userAgent, "accept-language": "en", ...(init.headers as Record<string, string>) };
  return fetch(`${server.url}/i/${path}`, { redirect: "manual", ...init, headers });
}

const press = (code: string, userAgent: string) => visit(`${code}/install`, userAgent, { method: "POST" });

async function anApkLink(more: Record<string, unknown> = {}, notes = "What changed") {
  const bytes = await anApk(place.identifier);
  const fields = { environmentId: place.environmentId, description: notes };
  const { body } = await publish(admin, bytes, "Example.apk", fields);
  return { release: body, link: await aShareLink(admin, { releaseId: body.id, ...more }) };
}

describe("the page of a share link", () => {
  it("has a policy that runs nothing, is not listed, and sends its address to nobody", async () => {
    const { link } = await anApkLink();
    const { status, headers } = await visit(link.code, ANDROID);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = headers.get("content-security-policy");
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action 'self';/,
    );
    expect(policy).not.toContain("script-src");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("set-cookie")).toBeNull();
  });

  it("has one button on a phone, and a code and the file on a computer, without a script and in 60 kB", async () => {
    const { link } = await anApkLink({}, `${"A change of the release. ".repeat(180)}`);
    for (const userAgent of [ANDROID, DESKTOP]) {
      const text = await (await visit(link.code, userAgent)).text();
      expect(text).not.toMatch(/<script|javascript:|\son\w+=|_next/i);
      expect(text.match(/<button/g)).toHaveLength(1);
      expect(text.includes('class="qr"')).toBe(userAgent === DESKTOP);
      expect(brotliCompressSync(text).length).toBeLessThan(60_000);
      expect(text).toContain("Version 1.0 (1)");
      expect(text).toContain("A change of the release.");
      // The tests run with an authority of the console's own, which a phone has to trust.
      expect(text.includes('<a href="/trust">')).toBe(userAgent !== DESKTOP);
    }
  });

  it("installs on an iPad, which presents itself as a Mac, also from a link for phones and beside an .apk", async () => {
    const ipa = await aRelease(admin, place);
    await anApkLink();
    for (const fields of [{ releaseId: ipa.id, onlyPhones: true }, { environmentId: place.environmentId }]) {
      const link = await aShareLink(admin, fields);
      const began = await visit(`${link.code}/install?device=ipad`, MAC, { method: "POST" });
      expect(began.status).toBe(303);
      const started = await visit(
        `${link.code}${new URL(began.headers.get("location") ?? "", server.url).search}`,
        MAC,
      );
      expect(await started.text()).toContain("itms-services://?action=download-manifest");
    }
  });

  it("gives each device the file of the build that it installs, whichever of them was linked or published last", async () => {
    const version = { versionName: "3.0", versionCode: 30 };
    const fields = { environmentId: place.environmentId };
    const { id: ipa } = await aRelease(admin, place, {
      version: "3.0",
      build: "30",
      profile: { expires: new Date(0) },
    });
    const apk = (await publish(admin, await anApk(place.identifier, version), "app.apk", fields)).body.id;
    const bundle = makeAab({ identifier: place.identifier, ...version });
    const aab = (await publish(admin, bundle, "app.aab", fields)).body.id;
    for (const releaseId of [ipa, apk, aab]) {
      const { code } = await aShareLink(admin, { releaseId });
      const shown = async (userAgent: string) => (await visit(code, userAgent)).text();
      expect(await shown(ANDROID)).not.toContain(messagesFor("en").install.reasons.bundle_without_apk.title);
      expect(await shown(IPHONE)).toContain(messagesFor("en").install.reasons.profile_expired.title);
      // The phone that scans the code of a computer gets the file that installs.
      expect(await shown(DESKTOP)).toContain('class="qr"');
    }
  });

  it("asks an Android browser once for what decides and is not known, and promises nothing before", async () => {
    const bytes = await anApk(place.identifier, { targetSdk: 21, versionName: "4.0", versionCode: 40 });
    const { body } = await publish(admin, bytes, "Old.apk", { environmentId: place.environmentId });
    const link = await aShareLink(admin, { releaseId: body.id });
    const asked = await visit(link.code, ANDROID);
    const names = asked.headers.get("critical-ch");
    expect(names).toContain("Sec-CH-UA-Platform-Version");
    expect(asked.headers.get("accept-ch")).toBe(names);
    expect(asked.headers.get("vary")).toContain(names);
    const { install } = messagesFor("en");
    expect(await asked.text()).not.toContain(install.ready);
    const openCount = async () => (await db.shareLink.findUniqueOrThrow({ where: { id: link.id } })).openCount;
    await expect.poll(openCount).toBe(1);
    const hints = { headers: { "sec-ch-ua-platform-version": '"15.0.0"' } };
    const told = await visit(link.code, ANDROID, hints);
    expect(await told.text()).toContain(install.reasons.target_sdk_too_low.title);
    expect(told.headers.get("critical-ch")).toBeNull();
    // The repeated request was no second opening; the next one is.
    await visit(link.code, ANDROID, hints);
    await expect.poll(openCount).toBe(2);
  });

  it("asks for no hints where they decide nothing", async () => {
    const { link } = await anApkLink();
    const { id } = await aRelease(admin, place);
    const { code } = await aShareLink(admin, { releaseId: id });
    const pages = [await visit(link.code, ANDROID), await visit(link.code, DESKTOP), await visit(code, IPHONE)];
    expect(pages.map(({ headers }) => headers.get("critical-ch"))).toEqual([null, null, null]);
  });

  it("says nothing of the console but its name, of the release nothing but what is shown", async () => {
    const { link, release } = await anApkLink({ name: "For Acme" });
    const text = await (await visit(link.code, DESKTOP)).text();
    for (const secret of [release.id, link.id, place.appId, place.environmentId, admin.userId, "For Acme", "Testing"])
      expect(text).not.toContain(secret);
    expect(text.match(/Slipway/g)).toHaveLength(1);
  });

  it("escapes what was typed", async () => {
    const { link, release } = await anApkLink();
    const version = `"><img src=x onerror=alert(1)>`;
    await db.release.update({ where: { id: release.id }, data: { displayName: "<script>alert(1)</script>", version } });
    const text = await (await visit(link.code, ANDROID)).text();
    expect(text).not.toMatch(/<script|<img src=x/);
    expect(text).toContain("&lt;script&gt;");
  });

  it("speaks the language that the browser asks for", async () => {
    const { link } = await anApkLink();
    for (const locale of LOCALES) {
      const answer = await visit(link.code, ANDROID, { headers: { "accept-language": locale } });
      expect(answer.headers.get("content-language")).toBe(locale);
      expect(answer.headers.get("vary")).toContain("Accept-Language");
      const text = await answer.text();
      expect(text).toContain(`<html lang="${locale}">`);
      expect(text).toContain(messagesFor(locale).install.action);
    }
  });

  it("is in English for a browser that asks for none of its languages, and keeps the one that is chosen below it", async () => {
    const { link } = await anApkLink();
    const languageOf = async (headers: Record<string, string>) =>
      (await visit(link.code, ANDROID, { headers })).headers.get("content-language");
    expect(await languageOf({ "accept-language": "ja-JP,pl;q=0.8" })).toBe("en");
    const page = await (await visit(`${link.code}/feedback?version=1.0&buildNumber=1`, ANDROID)).text();
    const [, href = ""] = /<a href="([^"]+)" lang="de"/.exec(page) ?? [];
    const chosen = await visit(href.replaceAll("&amp;", "&").slice("/i/".length), ANDROID);
    expect([chosen.status, chosen.headers.get("location")]).toEqual([
      303,
      `/i/${link.code}/feedback?version=1.0&buildNumber=1`,
    ]);
    const [cookie = ""] = chosen.headers.get("set-cookie")?.split(";") ?? [];
    expect(await languageOf({ "accept-language": "ja", cookie })).toBe("de");
    expect((await visit(`${link.code}?language=xx`, ANDROID)).status).toBe(200);
  });

  it("names the console, but not on a page that shows nothing of it", async () => {
    const { link } = await anApkLink();
    await db.appConfig.update({ where: { id: 1 }, data: { name: "Acme <Mobile>" } });
    const [known, unknown] = [await visit(link.code, ANDROID), await visit("A".repeat(22), ANDROID)];
    await db.appConfig.update({ where: { id: 1 }, data: { name: "Slipway" } });
    expect(await known.text()).toContain("Acme &lt;Mobile&gt; · Shared with Slipway");
    expect(await unknown.text()).not.toContain("Acme");
  });

  it("counts an opening, and none for HEAD", async () => {
    const { link } = await anApkLink();
    await visit(link.code, ANDROID, { method: "HEAD" });
    await visit(link.code, ANDROID);
    const openCount = async () => (await db.shareLink.findUniqueOrThrow({ where: { id: link.id } })).openCount;
    await expect.poll(openCount).toBe(1);
  });

  it("is 404 without a link and 410 after its end, as a page in words", async () => {
    const { link } = await anApkLink({ maxInstalls: 1 });
    await press(link.code, ANDROID);
    const expected = [
      [404, "A".repeat(22), messagesFor("en").errors.not_found.title],
      [404, `${link.code}/other`, messagesFor("en").errors.not_found.title],
      [404, `${link.code}/constructor`, messagesFor("en").errors.not_found.title],
      [410, link.code, messagesFor("en").errors.link_ended.title],
    ] as const;
    for (const [status, path, title] of expected) {
      const answer = await visit(path, ANDROID);
      expect([path, answer.status]).toEqual([path, status]);
      expect(await answer.text()).toContain(title);
    }
  });

  it("answers other methods with 405", async () => {
    const { link } = await anApkLink();
    expect((await visit(link.code, ANDROID, { method: "PUT" })).headers.get("allow")).toBe("GET, HEAD, POST");
    expect((await visit(`${link.code}/install`, ANDROID)).status).toBe(405);
  });
});

describe("the button", () => {
  it("counts once, and leads to a page that starts the download, also after a reload", async () => {
    const { link, release } = await anApkLink({ maxInstalls: 1 });
    const answer = await press(link.code, ANDROID);
    const location = answer.headers.get("location") as string;
    expect([answer.status, location]).toEqual([303, expect.stringMatching(new RegExp(`^/i/${link.code}\\?install=`))]);
    for (const _reload of [1, 2]) {
      const page = await visit(location.slice("/i/".length), ANDROID);
      const text = await page.text();
      expect(page.status).toBe(200);
      expect(text).toMatch(
        /<meta http-equiv="refresh" content="1;url=http[^"]*\/api\/apps\/download-testing-deploy-by-token\?token=/,
      );
      expect(text).toContain(release.displayName);
      expect(text).toContain(messagesFor("en").install.reasons.unknown_sources.title);
    }
    expect((await press(link.code, ANDROID)).status).toBe(410);
    expect(await db.shareLink.findUniqueOrThrow({ where: { id: link.id } })).toMatchObject({ installCount: 1 });
  });

  it("leads an iPhone to the manifest", async () => {
    const { id } = await aRelease(admin, place);
    const { code } = await aShareLink(admin, { releaseId: id });
    const location = (await press(code, IPHONE)).headers.get("location") as string;
    const text = await (await visit(location.slice("/i/".length), IPHONE)).text();
    expect(text).toContain('content="1;url=itms-services://?action=download-manifest&amp;url=http');
  });

  it("does not take the token of another release's link", async () => {
    const one = await anApkLink();
    const later = await publish(admin, await anApk(place.identifier, { versionName: "2.0" }), "Example.apk", {
      environmentId: place.environmentId,
    });
    const other = { link: await aShareLink(admin, { releaseId: later.body.id }) };
    const location = (await press(one.link.code, ANDROID)).headers.get("location") as string;
    const token = location.split("=")[1];
    const text = await (await visit(`${other.link.code}?install=${token}`, ANDROID)).text();
    expect(text).not.toContain("http-equiv");
  });
});

describe("the password form", () => {
  const send = (code: string, password: string) =>
    visit(code, ANDROID, { method: "POST", body: new URLSearchParams({ password }) });

  it("opens the page with a cookie, and says what was wrong", async () => {
    const { link, release } = await anApkLink({ password: "correct horse" });
    const first = await visit(link.code, ANDROID);
    expect(first.status).toBe(200);
    const form = await first.text();
    expect(form).toContain(`<form class="card" method="post" action="/i/${link.code}">`);
    expect(form).not.toMatch(/role="alert"/);
    expect(form).not.toContain(release.displayName);
    const wrong = await send(link.code, "wrong horse");
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      expect.stringContaining(messagesFor("en").errors.password_required.detailWrong),
    ]);
    const right = await send(link.code, "correct horse");
    expect([right.status, right.headers.get("location")]).toEqual([303, `/i/${link.code}`]);
    const cookie = right.headers.get("set-cookie")?.split(";")[0] as string;
    const page = await visit(link.code, ANDROID, { headers: { cookie } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(release.displayName)]);
  });
});
