import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import type { Grant } from "./fixtures/database";
import { hold } from "./fixtures/hold";
import { t } from "./fixtures/messages";
import { axeViolations } from "./fixtures/page-health";
import { SLOW, slowUnless } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

const CHECK_INTERVAL_MS = 60_000;

function readerOf(appId: string): Grant[] {
  return [{ scopes: ["release:read"], appId }];
}

test("a wrong password is refused without revealing whether the account exists, and the form keeps the e-mail", async ({
  page,
  database,
  problems,
}) => {
  problems.expect(/401/);
  const person = await database.addPerson([]);
  const signIn = new SignInPage(page);
  await page.goto("/");
  const refusals: (string | null)[] = [];
  for (const email of [person.email, `nobody-${person.email}`]) {
    await signIn.signIn({ email, password: "not the password" });
    const notice = page.locator("form").getByRole("alert");
    await expect(notice).toBeVisible();
    await expect(signIn.email).toHaveValue(email);
    await expect(signIn.password).toBeFocused();
    refusals.push(await notice.textContent());
  }
  expect(refusals[1]).toBe(refusals[0]);
});

test("the password is sent sealed with the public key, which is requested first", async ({ page, database }) => {
  const person = await database.addPerson([]);
  const calls: string[] = [];
  const bodies: string[] = [];
  page.on("request", (request) => {
    const operation = /\/api\/((?:config|auth)\/(?:get-public-key|email-login))/.exec(request.url())?.[1];
    if (operation) calls.push(operation);
    bodies.push(request.postData() ?? "");
  });
  await page.goto("/");
  await new SignInPage(page).signIn(person);
  await expect(page).toHaveURL("/home");
  expect(calls).toEqual(["config/get-public-key", "auth/email-login"]);
  expect(bodies.join()).toContain(person.email);
  expect(bodies.join()).not.toContain(person.password);
});

test("the page requested before the sign-in is shown after it", async ({ page, database, place }) => {
  const person = await database.addPerson(readerOf(place.appId));
  const wanted = `/app-environments?app=${place.appId}`;
  await page.goto(wanted);
  await expect(new SignInPage(page).heading).toBeVisible();
  await new SignInPage(page).signIn(person);
  await expect(page).toHaveURL(wanted);
  await expect(new AppShell(page).heading(place.appName)).toBeVisible();
});

test("a session that expires while a page is open redirects to the sign-in, which says so and returns to the page", async ({
  page,
  database,
  place,
}) => {
  const person = await database.addPerson(readerOf(place.appId));
  const wanted = `/app-environments?app=${place.appId}`;
  await page.clock.install();
  await page.goto(wanted);
  await new SignInPage(page).signIn(person);
  await expect(new AppShell(page).heading(place.appName)).toBeVisible();
  // The guard has begun its watch once it has noted the session; before, it would take the new time for the clock's error.
  await page.waitForLoadState("networkidle");
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBeGreaterThan(0);

  // The browser's clock alone is moved: on the server, the session ends by hand.
  await database.expireSessions(person.id);
  await page.clock.fastForward("02:00:00");
  await page.clock.runFor(CHECK_INTERVAL_MS);

  await expect(new SignInPage(page).expiredNotice).toBeVisible();
  await expect(page).toHaveURL(`/?${new URLSearchParams({ next: wanted, expired: "1" })}`);
  await new SignInPage(page).signIn(person);
  await expect(page).toHaveURL(wanted);
});

test("a session that the server has ended redirects to the sign-in on the next click, and then to the requested page", async ({
  page,
  database,
  place,
}) => {
  const person = await database.addPerson(readerOf(place.appId));
  await page.goto("/home");
  await new SignInPage(page).signIn(person);
  const shell = new AppShell(page);
  await expect(shell.heading(t("home.title"))).toBeVisible();

  await database.expireSessions(person.id);
  await shell.main.getByRole("link", { name: place.appName }).click();

  const signIn = new SignInPage(page);
  await expect(signIn.heading).toBeVisible();
  await signIn.signIn(person);
  await expect(page).toHaveURL(`/app-environments?app=${place.appId}`);
});

test("a session that ends while a form is filled in keeps the input: the user signs in in a new tab and goes on", async ({
  page,
  context,
  database,
  problems,
}) => {
  problems.expect(/401/);
  const person = await database.addPerson([]);
  await page.goto("/profile");
  await new SignInPage(page).signIn(person);
  await page.getByRole("button", { name: t("profile.edit"), exact: true }).click();
  const form = page.getByRole("dialog", { name: t("profile.edit"), exact: true });
  const names = form.getByLabel(t("profile.firstNames"), { exact: true });
  await names.fill("Augusta Ada");

  await database.expireSessions(person.id);
  await form.getByRole("button", { name: t("profile.save"), exact: true }).click();
  const ended = page.getByRole("alertdialog", { name: t("session.ended.title"), exact: true });
  await expect(ended).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain("Augusta");

  const opened = context.waitForEvent("page");
  await ended.getByRole("button", { name: t("session.ended.signIn"), exact: true }).click();
  const tab = await opened;
  const closed = tab.waitForEvent("close");
  await new SignInPage(tab).signIn(person);
  await closed;
  await expect(ended).toHaveCount(0);
  await expect(names).toHaveValue("Augusta Ada");
  await form.getByRole("button", { name: t("profile.save"), exact: true }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText("Augusta Ada").first()).toBeVisible();
});

test("signing out ends the session on the server, and the browser keeps no data of the user", async ({
  page,
  context,
  database,
}) => {
  const person = await database.addPerson([]);
  await page.goto("/home");
  await new SignInPage(page).signIn(person);
  await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
  expect(await database.countSessions(person.id)).toBe(1);

  await new AppShell(page).signOut(`${person.firstNames} ${person.lastNames}`);

  await expect(new SignInPage(page).heading).toBeVisible();
  expect(await database.countSessions(person.id)).toBe(0);
  expect((await context.cookies()).filter(({ name }) => name.includes("session"))).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("slipway.")))).toEqual([]);
  await page.goBack();
  await expect(new SignInPage(page).heading).toBeVisible();
});

test(
  "signing out in one tab redirects the others to the sign-in but for a filled form, and signing in brings them back",
  SLOW,
  async ({ page, context, database }) => {
    const person = await database.addPerson([]);
    await page.goto("/home");
    await new SignInPage(page).signIn(person);
    await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
    const second = await context.newPage();
    await second.goto("/profile");
    await expect(new AppShell(second).heading(t("profile.title"))).toBeVisible();
    const third = await context.newPage();
    await third.goto("/profile");
    await third.getByRole("button", { name: t("profile.edit"), exact: true }).click();
    const names = third.getByRole("dialog").getByLabel(t("profile.firstNames"), { exact: true });
    await names.fill("Augusta Ada");

    await new AppShell(page).signOut(`${person.firstNames} ${person.lastNames}`);
    await expect(new SignInPage(page).heading).toBeVisible();
    await expect(new SignInPage(second).heading).toBeVisible();
    const ended = third.getByRole("alertdialog", { name: t("session.ended.title"), exact: true });
    await expect(ended).toBeVisible();

    await new SignInPage(page).signIn(person);
    await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
    await expect(new AppShell(second).heading(t("profile.title"))).toBeVisible();
    await expect(ended).toHaveCount(0);
    await expect(names).toHaveValue("Augusta Ada");
  },
);

test("a tab whose sign-in page is still loading while another tab signs in is signed in too", async ({
  page,
  context,
  database,
}) => {
  const person = await database.addPerson([]);
  await page.goto("/");
  const second = await context.newPage();
  const release = await hold(second, /\/_next\/static\/.*\.js/);
  // It ends when the code of the page is there.
  const opened = second.goto("/?next=%2Fprofile");
  // Locators wait for the code.
  await second.waitForFunction(() => document.querySelector("h1") !== null);

  await new SignInPage(page).signIn(person);
  await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
  release();
  await opened;
  await expect(new AppShell(second).heading(t("profile.title"))).toBeVisible();
});

test("the session is in a cookie that no script can read", async ({ page, context, database }) => {
  const person = await database.addPerson([]);
  await page.goto("/home");
  await new SignInPage(page).signIn(person);
  await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
  const session = (await context.cookies()).find(({ name }) => name.includes("session"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(await page.evaluate(() => document.cookie)).not.toContain(session?.value);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(session?.value);
  expect(kept).not.toContain(person.email);
});

/** Where `next` must not lead. `safe-path.test.ts` has many more; one shows that both sides of the sign-in ask it. */
const ELSEWHERE = [
  "//evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "https://evil.example/home",
  "/.//evil.example",
  "/%09/evil.example",
  "javascript:alert(1)",
  "/api/auth/logout",
];

for (const next of ELSEWHERE) {
  test(
    `after the sign-in, next=${next} is not followed`,
    slowUnless(next === ELSEWHERE[0]),
    async ({ page, database }) => {
      const person = await database.addPerson([]);
      await page.goto(`/?${new URLSearchParams({ next })}`);
      await new SignInPage(page).signIn(person);
      await expect(page).toHaveURL("/home");
      // The server redirects a user who is already signed in.
      await page.goto(`/?${new URLSearchParams({ next })}`);
      await expect(page).toHaveURL("/home");
    },
  );
}

test("the sign-in page redirects signed-in users: administrators to the dashboard, others home", async ({
  page,
  context,
  admin,
  database,
}) => {
  const person = await database.addPerson([]);
  const user = await ConsoleClient.signIn(baseUrl(), person);
  await context.addCookies((await user.request.storageState()).cookies);
  await page.goto("/");
  await expect(page).toHaveURL("/home");
  await context.clearCookies();
  await context.addCookies((await admin.request.storageState()).cookies);
  await page.goto("/");
  await expect(page).toHaveURL("/admin-dashboard");
  await user.dispose();
});
