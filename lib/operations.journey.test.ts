import { randomUUID } from "node:crypto";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { getFeedback } from "@/lib/features/feedback/operations/get-feedback";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { restoreRelease } from "@/lib/features/retention/operations/restore-release";
import { getShareLinks } from "@/lib/features/share-links/operations/get-share-links";
import { getReleaseDistributions } from "@/lib/features/testers/operations/get-release-distributions";
import { createWebhook } from "@/lib/features/webhooks/operations/create-webhook";
import { startJobs, stopJobs } from "@/lib/jobs";
import { routes } from "@/lib/routes";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { screenshotPng } from "@/lib/testing/feedback";
import { type MailServer, type ParsedMail, parseMail, startMailServer } from "@/lib/testing/mail";
import { anApk, anIpa, publish, sha256Of } from "@/lib/testing/releases";
import { serveRoutes, type TestServer } from "@/lib/testing/server";
import { aShareLink } from "@/lib/testing/share-links";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { type Receiver, startReceiver } from "@/lib/testing/webhook-receiver";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";

const EVENTS = [
  ...["release.published", "release.distributed", "release.installed", "feedback.created", "release.deleted"],
  "audit.restore",
];
const PASSWORD = "correct horse";
/** Jobs begin at once or are looked for every two seconds; a busy machine takes longer. */
const WAIT = { timeout: 60_000, interval: 100 };

let mailServer: MailServer;
let receiver: Receiver;
let server: TestServer;
let admin: TestUser;
let secret: string;

beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await startReceiver();
  process.env.SMTP_URL = `smtp://127.0.0.1:${mailServer.port}`;
  process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";
  await ensureServerKeys();
  await startJobs();
  server = await serveRoutes(routes);
  admin = await aUser({ admin: true });
  const webhook = await send(createWebhook, admin, { name: "CI", url: receiver.url, events: EVENTS });
  secret = webhook.body.secret;
});
afterAll(async () => {
  await server.close();
  await stopJobs();
  await receiver.close();
  await mailServer.close();
});

/** Requests an address of the console in a browser without a session, which keeps the cookies that `init` has. */
function visit(address: string, userAgent: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(address, "https://console.test");
  const headers = { "user-agent": userAgent, "accept-language": "en", ...(init.headers as Record<string, string>) };
  return fetch(`${server.url}${pathname}${search}`, { redirect: "manual", ...init, headers });
}

/** Waits for the latest mail to somebody with a text. */
async function mailTo(email: string, text: string | RegExp): Promise<ParsedMail> {
  return vi.waitFor(() => {
    const mails = mailServer.received.filter(({ to }) => to.includes(email)).map(({ raw }) => parseMail(raw));
    const found = mails.findLast((mail) =>
      typeof text === "string" ? mail.text.includes(text) : text.test(mail.text),
    );
    if (!found) throw new Error(`${email} got no mail with ${text}`);
    return found;
  }, WAIT);
}

/** The types of the events that were received, each verified by the library of Standard Webhooks, without repetitions. */
function received(): string[] {
  const events = new Map(
    receiver.received.map(({ body, headers }) => {
      const { type } = new Verifier(secret).verify(body, headers) as { type: string };
      return [headers["webhook-id"], type];
    }),
  );
  return [...events.values()];
}

const waitForEvents = (types: readonly string[]) =>
  vi.waitFor(() => expect(received().toSorted()).toEqual(expect.arrayContaining(types.toSorted())), WAIT);

/** Presses the button of a page. @returns the address that starts the installation */
async function install(page: string, userAgent: string, headers: Record<string, string> = {}): Promise<string> {
  const pressed = await visit(`${page}/install`, userAgent, { method: "POST", headers });
  expect(pressed.status).toBe(303);
  const started = await (await visit(pressed.headers.get("location") as string, userAgent, { headers })).text();
  const [, address] = /href="(itms-services:[^"]+|[^"]*download-testing-deploy-by-token[^"]+)"/.exec(started) ?? [];
  return (address as string).replaceAll("&amp;", "&");
}

/** Goes the way of iOS from the address that opens the installer. @returns the SHA-256 of the package */
async function packageOf(address: string): Promise<string> {
  const manifest = await (await visit(new URL(address).searchParams.get("url") as string, IPHONE)).text();
  const [, url] = /software-package<\/string>\s*<key>url<\/key>\s*<string>([^<]+)/.exec(manifest) ?? [];
  return sha256OfAnswer(await visit((url as string).replaceAll("&amp;", "&"), IPHONE));
}

const sha256OfAnswer = async (response: Response) => sha256Of(new Uint8Array(await response.arrayBuffer()));

/** Adds somebody without an account to a new group, who agrees by the link of the mail. */
async function aTester(appId: string): Promise<{ email: string; groupId: string; page: string }> {
  const email = `${randomUUID()}@example.test`;
  const { id: groupId } = await aTesterGroup(admin, { appId, emails: [email] });
  const [page] = /\/t\/[\w-]{43}/.exec((await mailTo(email, /\/t\//)).text) as RegExpExecArray;
  expect((await visit(page, ANDROID)).status).toBe(200);
  expect((await visit(`${page}/confirm`, ANDROID, { method: "POST" })).status).toBe(303);
  return { email, groupId, page };
}

describe("a build", () => {
  it("is told to a tester, opened by a link with a password, installed, criticized, deleted, and restored whole", async () => {
    const { appId, identifier, environmentIds } = await anApp();
    const environmentId = environmentIds[0] as string;
    const tester = await aTester(appId);
    const ipa = anIpa(identifier, { version: "2.4", build: "7" });
    const apk = await anApk(identifier, { versionName: "2.4", versionCode: 7 });
    const fields = { environmentId, description: "The cart is faster." };
    const release = (await publish(admin, ipa, "Shop.ipa", { ...fields, groups: tester.groupId })).body;
    await publish(admin, apk, "Shop.apk", fields);
    const mail = await mailTo(tester.email, "The cart is faster.");
    expect(mail.text).toContain(`${tester.page}/${release.id}`);
    await waitForEvents(["release.published", "release.published", "release.distributed"]);

    const link = await aShareLink(admin, { releaseId: release.id, password: PASSWORD });
    const page = new URL(link.url).pathname;
    const enter = (password: string) =>
      visit(page, IPHONE, { method: "POST", body: new URLSearchParams({ password }) });
    expect([(await visit(page, IPHONE)).status, (await enter("correct donkey")).status]).toEqual([200, 401]);
    const unlocked = await enter(PASSWORD);
    const cookie = { cookie: unlocked.headers.get("set-cookie")?.split(";")[0] as string };
    for (const device of [IPHONE, ANDROID]) {
      expect(await (await visit(page, device, { headers: cookie })).text()).toContain("Version 2.4 (7)");
    }
    expect(await packageOf(await install(page, IPHONE, cookie))).toBe(sha256Of(ipa));
    const file = await visit(await install(page, ANDROID, cookie), ANDROID);
    expect(await sha256OfAnswer(file)).toBe(sha256Of(apk));

    const form = new FormData();
    form.append("text", "The cart is empty.");
    form.append("rating", "2");
    form.append("screenshot", new Blob([Uint8Array.from(await screenshotPng())], { type: "image/png" }), "IMG_1.PNG");
    const given = await visit(`${page}/feedback`, IPHONE, { method: "POST", body: form, headers: cookie });
    expect(given.status).toBe(303);
    expect((await mailTo(admin.email, "2.4")).text).toContain(release.id);
    await waitForEvents(["release.installed", "release.installed", "feedback.created"]);

    const seen = async () => {
      const { updatedAt: _, ...published } = (await send(getTestingDeployById, admin, { id: release.id })).body;
      const [{ opened: _opened, ...shown }] = (await send(getShareLinks, admin, { appId })).body.items;
      const { items: feedback } = (await send(getFeedback, admin, { releaseId: release.id })).body;
      const people = (await send(getReleaseDistributions, admin, { releaseId: release.id })).body;
      const ofTester = await (await visit(tester.page, IPHONE)).text();
      return { published, shown, feedback, people, isListed: ofTester.includes("Version 2.4 (7)") };
    };
    const before = await seen();
    expect(before).toMatchObject({
      isListed: true,
      shown: { installed: 2 },
      feedback: [{ text: "The cart is empty." }],
    });
    expect((await send(deleteTestingDeploy, admin, { id: release.id })).status).toBe(204);
    expect((await visit(page, IPHONE, { headers: cookie })).status).toBe(410);
    expect((await visit(`${tester.page}/${release.id}`, IPHONE)).status).toBe(404);
    await waitForEvents(["release.deleted"]);
    expect((await send(restoreRelease, admin, { id: release.id })).status).toBe(200);
    await waitForEvents(["audit.restore"]);
    expect(await seen()).toEqual(before);
    expect(await packageOf(await install(page, IPHONE, cookie))).toBe(sha256Of(ipa));
  }, 240_000);
});

describe("the page of a tester", () => {
  it("is opened from a mail, installs on both systems, says so to the team, and stops the mails by one press", async () => {
    const { appId, identifier, environmentIds } = await anApp();
    const environmentId = environmentIds[0] as string;
    const { email, groupId, page } = await aTester(appId);
    const [ipa, apk] = [anIpa(identifier, { version: "3.1" }), await anApk(identifier, { versionName: "3.2" })];
    const publishTo = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
      const answer = await publish(admin, bytes, name, { environmentId, groups: groupId });
      return answer.body.id as string;
    };
    const ids = [await publishTo(ipa, "Shop.ipa"), await publishTo(apk, "Shop.apk")] as const;
    const mail = await mailTo(email, "3.1");
    await vi.waitFor(async () => {
      const { distributions } = (await send(getReleaseDistributions, admin, { releaseId: ids[1] })).body;
      expect(distributions).toMatchObject([{ state: "done" }]);
    }, WAIT);
    const text = await (await visit(page, IPHONE)).text();
    for (const version of ["3.1", "3.2"]) expect(text).toContain(`Version ${version}`);
    const ownScript = '<script src="/tester.js" defer></script>';
    expect(text.replace(ownScript, "")).not.toMatch(/<script|javascript:|_next/i);

    expect((await visit(`${page}/${ids[0]}`, IPHONE)).status).toBe(200);
    expect(await packageOf(await install(`${page}/${ids[0]}`, IPHONE))).toBe(sha256Of(ipa));
    const file = await visit(await install(`${page}/${ids[1]}`, ANDROID), ANDROID);
    expect(await sha256OfAnswer(file)).toBe(sha256Of(apk));
    for (const releaseId of ids) {
      const { items } = (await send(getReleaseDistributions, admin, { releaseId })).body;
      expect(items).toMatchObject([{ email, installedAt: expect.any(String) }]);
    }

    const [, stop] = /^<([^>]+)>$/.exec(mail.headers.get("list-unsubscribe") ?? "") ?? [];
    const pressed = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
    expect((await visit(stop as string, "a mail program", pressed)).status).toBe(200);
    const later = await publishTo(anIpa(identifier, { version: "3.3" }), "Shop.ipa");
    await vi.waitFor(async () => {
      const { items } = (await send(getReleaseDistributions, admin, { releaseId: later })).body;
      expect(items).toMatchObject([{ email, state: "off" }]);
    }, WAIT);
  }, 240_000);
});
