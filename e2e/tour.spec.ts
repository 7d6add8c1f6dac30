import type { Page } from "@playwright/test";
import type { BuiltServer } from "../testing/built-server.ts";
import { ConsoleClient } from "../testing/console-client";
import { startNewConsole } from "./console.ts";
import { ConsoleDatabase } from "./fixtures/database";
import { t } from "./fixtures/messages";
import { axeViolations, settled } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { test as base, expect } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";

const STEPS = ["apps", "platforms", "users", "roles", "permissions", "end"] as const;

/** The page of a new administrator, who has not dismissed the tour. */
const test = base.extend<{ newcomer: Page }>({
  signedIn: false,
  newcomer: async ({ page, context }, use) => {
    const person = await database.addPerson([]);
    await database.promote(person.id);
    await database.showTour(person.id);
    const client = await ConsoleClient.signIn(server.url, person);
    await context.addCookies((await client.request.storageState()).cookies);
    await client.dispose();
    await page.goto(`${server.url}/admin-dashboard`);
    await use(page);
  },
});

// The tour is offered below the first steps, which end once a console has a release and a tester: that of the other tests soon does.
let server: BuiltServer;
let database: ConsoleDatabase;
test.beforeAll(async () => {
  const console = await startNewConsole();
  server = console.server;
  database = new ConsoleDatabase(console.databaseUrl);
});
test.afterAll(async () => {
  await database?.close();
  await server?.stop();
});

const popover = (page: Page) => page.locator(".driver-popover");
const step = (page: Page, name: (typeof STEPS)[number]) =>
  popover(page).getByText(t(`tour.steps.${name}.title`), { exact: true });
const button = (page: Page, name: "next" | "previous" | "done" | "close" | "never") =>
  popover(page).getByRole("button", { name: t(`tour.${name}`), exact: true });

/** The button that offers the tour below the first steps. */
const offer = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: t("dashboard.tour.start"), exact: true });

async function start(page: Page): Promise<void> {
  await offer(page).click();
  await expect(step(page, "apps")).toBeVisible();
}

/** Waits until a step is there to stay: keys that are pressed before are ignored. */
const reached = (page: Page, index: number) =>
  page.waitForFunction((kept) => sessionStorage.getItem("tour") === kept, String(index));

test("the tour is offered to a new administrator, is stepped with the keyboard, and is not offered once it is done", async ({
  newcomer: page,
}) => {
  await settled(page);
  await expect(popover(page)).toHaveCount(0);
  await start(page);
  await expect(button(page, "next")).toBeFocused();
  expect(await axeViolations(page, { overlay: true })).toEqual([]);
  for (const [index, name] of STEPS.slice(1).entries()) {
    await reached(page, index);
    await page.keyboard.press("ArrowRight");
    await expect(step(page, name)).toBeVisible();
  }
  await reached(page, STEPS.length - 1);
  await page.keyboard.press("ArrowLeft");
  await expect(step(page, "permissions")).toBeVisible();
  await button(page, "next").click();
  const dismissed = page.waitForResponse("**/api/auth/dismiss-tour");
  await button(page, "done").click();
  expect((await dismissed).status()).toBe(200);
  await expect(popover(page)).toHaveCount(0);
  await expect(offer(page)).toHaveCount(0);
  await page.goto(`${server.url}/admin-dashboard`);
  await settled(page);
  await expect(page.getByText(t("dashboard.firstSteps"), { exact: true })).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
});

test(
  "the tour survives a navigation and a reload at its step, and Escape closes it until it is started again",
  SLOW,
  async ({ newcomer: page }) => {
    await start(page);
    await button(page, "next").click();
    await expect(step(page, "platforms")).toBeVisible();
    await page.locator("aside nav a[href^='/admin-platforms']").first().click();
    await page.waitForURL("**/admin-platforms*");
    await expect(step(page, "platforms")).toBeVisible();
    await page.reload();
    await expect(step(page, "platforms")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(popover(page)).toHaveCount(0);
    await page
      .getByRole("banner")
      .getByRole("button", { name: t("shell.account.label", { name: "Tess Ter" }) })
      .click();
    await page.getByRole("menuitem", { name: t("shell.account.tour") }).click();
    await expect(step(page, "apps")).toBeVisible();
    await button(page, "close").click();
    await page.goto(`${server.url}/admin-dashboard`);
    await settled(page);
    await expect(popover(page)).toHaveCount(0);
    await expect(offer(page)).toBeVisible();
  },
);

test(
  "the tour points to the link of each step while the sidebar is collapsed, and while the administrators' group is folded",
  SLOW,
  async ({ newcomer: page, context }) => {
    for (const [name, value] of [
      ["sidebar", "collapsed"],
      ["sidebar-administer", "folded"],
    ] as const) {
      await context.clearCookies({ name: /^sidebar/ });
      await context.addCookies([{ name, value, url: server.url }]);
      await page.goto(`${server.url}/admin-dashboard`);
      await start(page);
      for (const [index, key] of STEPS.slice(0, -1).entries()) {
        await expect(step(page, key)).toBeVisible();
        await expect(page.locator("aside nav a.driver-active-element"), `${name}: ${key}`).toBeVisible();
        await reached(page, index);
        await button(page, "next").click();
      }
      await expect(step(page, "end")).toBeVisible();
      await button(page, "close").click();
    }
    // The navigation is as it was before the tour.
    const administer = page.getByRole("button", { name: t("shell.groups.administer"), exact: true });
    await expect(administer).toHaveAttribute("aria-expanded", "false");
  },
);

test(
  'the tour hides while a dialog is open, and "do not show again" is kept with the user on the server',
  SLOW,
  async ({ newcomer: page, context }) => {
    await start(page);
    await new AppShell(page).openPalette();
    await expect(popover(page)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(step(page, "apps")).toBeVisible();
    const dismissed = page.waitForResponse("**/api/auth/dismiss-tour");
    await button(page, "never").click();
    expect((await dismissed).status()).toBe(200);
    await expect(popover(page)).toHaveCount(0);
    const another = await context.newPage();
    await another.goto(`${server.url}/admin-dashboard`);
    await settled(another);
    await expect(another.getByText(t("dashboard.firstSteps"), { exact: true })).toBeVisible();
    await expect(offer(another)).toHaveCount(0);
  },
);
