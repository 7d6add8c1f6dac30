import type { Browser, Page } from "@playwright/test";
import { wholeChromium } from "../scripts/lib/chromium.mjs";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { mailTo } from "./fixtures/outbox";
import { axeViolations } from "./fixtures/page-health";
import { test as base, expect, hydrateBeforeActions } from "./fixtures/test";

const wholeBrowser = wholeChromium();

/** Chromium with notifications. As a worker fixture, it would need a worker of its own, which starts another console. */
let whole: Browser;

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  context: async ({}, use) => {
    const context = await whole.newContext();
    hydrateBeforeActions(context);
    await use(context);
    await context.close();
  },
});

test.use({ serviceWorkers: "allow", permissions: ["notifications"] });
test.skip(!wholeBrowser, "Chromium's headless shell has no notifications; install the package chromium");

test.beforeAll(async ({ playwright, launchOptions }) => {
  whole = await playwright.chromium.launch({ ...launchOptions, executablePath: wholeBrowser });
});
test.afterAll(() => whole?.close());

/**
 * Gives the browser a push service: Chromium has none in tests. The keys are real, and everything else is the console's and the browser's.
 */
async function withPushService(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const base64Url = (bytes: ArrayBuffer) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replace(/=+$/, "");
    let current: PushSubscription | null = null;
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async (options) => {
      const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const point = await crypto.subtle.exportKey("raw", pair.publicKey);
      const keys = { p256dh: base64Url(point), auth: base64Url(crypto.getRandomValues(new Uint8Array(16)).buffer) };
      const endpoint = `https://push.example/${crypto.randomUUID()}`;
      const key = options?.applicationServerKey as Uint8Array<ArrayBuffer>;
      current = {
        endpoint,
        options: { applicationServerKey: key.buffer, userVisibleOnly: true },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          current = null;
          return true;
        },
      } as unknown as PushSubscription;
      return current;
    };
  });
}

/** Delivers a message to the worker of a page, as a push service does. */
async function deliver(page: Page, message: object): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  const registered = new Promise<string>((resolve) => {
    client.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === scope);
      if (own) resolve(own.registrationId);
    });
  });
  await client.send("ServiceWorker.enable");
  const delivery = {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  };
  await client.send("ServiceWorker.deliverPushMessage", delivery);
  await client.detach();
}

const notificationsOf = (page: Page) =>
  page.evaluate(async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    return shown.map(({ title, body, data }) => ({ title, body, data: data as string }));
  });

test.describe("a user", () => {
  test.use({ signedIn: false });

  test("turns notifications on from home, is shown one, and turns them off in the profile", async ({
    page,
    context,
    admin,
    database,
    place,
  }) => {
    const { appId, environmentId, identifier } = place;
    const person = await database.addPerson([{ scopes: ["release:read", "release:download"], appId, environmentId }]);
    await admin.publish(anIpa(identifier), { environmentId, description: "What changed" });
    await admin.command("testers/create-tester-group", { appId, name: "Beta", userIds: [person.id] });
    const client = await ConsoleClient.signIn(baseUrl(), person);
    await context.addCookies((await client.request.storageState()).cookies);
    await withPushService(page);

    await page.goto("/home");
    const offer = page.getByRole("status").filter({ hasText: t("browserNotifications.title") });
    await offer.getByRole("button", { name: t("browserNotifications.turnOn") }).click();
    await expect(offer).toHaveCount(0);
    const devices = async () => (await client.query("testers/get-notification-settings", {})).devices;
    expect(await devices()).toMatchObject([{ host: "push.example", client: { program: "Chrome" } }]);

    await deliver(page, { title: "Acme 2.4.0 (118)", body: "Faster start", url: "/home", tag: appId, lang: "es" });
    await expect
      .poll(() => notificationsOf(page))
      .toEqual([{ title: "Acme 2.4.0 (118)", body: "Faster start", data: `${baseUrl()}/home` }]);

    await page.goto("/profile");
    // The stand-in forgets the subscription with the page.
    const all = page.getByRole("switch", { name: t("browserNotifications.all") });
    await expect(all).toBeChecked();
    const own = page.getByRole("switch", { name: t("browserNotifications.title") });
    await own.click();
    await expect(own).toBeChecked();
    await expect(page.getByText(t("browserNotifications.thisDevice"), { exact: true })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await own.click();
    await expect(own).not.toBeChecked();
    // That of the first page.
    await page.getByRole("button", { name: /Chrome/ }).click();
    await expect(all).toHaveCount(0);
    expect(await devices()).toEqual([]);
    await client.dispose();
  });
});

test.describe("somebody without an account", () => {
  test.use({ signedIn: false });

  test("turns notifications on and off on their page, whose worker shows them", async ({ page, admin, place }) => {
    const email = `push-${place.environmentId}@slipway.test`;
    await admin.command("testers/create-tester-group", { appId: place.appId, name: "Beta", emails: [email] });
    const path = /\/t\/[\w-]{43}/.exec((await mailTo(email)).text)?.[0] ?? "";
    await withPushService(page);
    await page.goto(path);
    await page.getByRole("button", { name: t("testerPage.confirm.button") }).click();
    const part = page.locator("#push");
    await part.getByRole("button", { name: t("browserNotifications.turnOn") }).click();
    await expect(part).toContainText(t("browserNotifications.on"));
    expect(await axeViolations(page)).toEqual([]);
    await deliver(page, { title: "Acme 2.4.0 (118)", body: "", url: `${path}/x`, tag: "app", lang: "es" });
    await expect.poll(() => notificationsOf(page)).toMatchObject([{ data: `${baseUrl()}${path}/x` }]);
    await part.getByRole("button", { name: t("browserNotifications.turnOff") }).click();
    await expect(part).toContainText(t("browserNotifications.off"));
  });
});

test.describe("a browser that blocks notifications", () => {
  test.use({ permissions: [] });

  test("is told how to allow them", async ({ page, admin, place }) => {
    const { id } = (await admin.query("auth/get-user-profile", {})).user;
    await admin.command("testers/create-tester-group", { appId: place.appId, name: "Beta", userIds: [id] });
    await page.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { get: () => "denied" });
    });
    await page.goto("/profile");
    await expect(page.getByText(t("browserNotifications.denied"))).toBeVisible();
    await expect(page.getByRole("switch", { name: t("browserNotifications.title") })).toBeDisabled();
  });
});
