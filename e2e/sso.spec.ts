import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "@playwright/test";
import { type AppleTeam, startApple } from "@/lib/testing/apple";
import { startGithub } from "@/lib/testing/github";
import { type IdentityProvider, startIdentityProvider } from "@/lib/testing/identity-provider";
import type { ConsoleClient } from "../testing/console-client";
import { type NewConsole, startNewConsole } from "./console.ts";
import { t } from "./fixtures/messages";
import { axeViolations, sidewaysOverflow, untranslatedKeys } from "./fixtures/page-health";
import { SLOW, slowUnless } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

const TENANT = "0f7a2c4e-1111-4222-8333-444455556666";

let own: NewConsole;
let admin: ConsoleClient;
let providers: { apple: IdentityProvider; azure: IdentityProvider; github: IdentityProvider; google: IdentityProvider };
let team: AppleTeam;

test.beforeAll(async () => {
  // The console stands at localhost and the providers at 127.0.0.1: to a browser, sites of their own.
  const consoleUrl = () => own.url;
  const apple = await startApple(consoleUrl);
  team = apple.team;
  providers = {
    apple: apple.provider,
    azure: await startIdentityProvider({ consoleUrl, as: "azure", path: `/${TENANT}/v2.0`, endsSessions: true }),
    github: await startGithub(consoleUrl),
    google: await startIdentityProvider({ consoleUrl, as: "google" }),
  };
  const settings = { APPLE_ISSUER: apple.provider.issuer, OUTBOUND_ALLOWED_HOSTS: "127.0.0.1" };
  own = await startNewConsole(settings);
  admin = await own.signIn();
});

test.afterAll(async () => {
  await admin?.dispose();
  await own?.stop();
  await Promise.all(Object.values(providers ?? {}).map((provider) => provider.close()));
});

type Name = keyof typeof providers;

const NAMES: Record<Name, string> = { apple: "Apple", azure: "Microsoft", github: "GitHub", google: "Google" };

/** Configures a provider and switches it on, as an administrator does, in the console that runs; once. */
async function switchOn(name: Name): Promise<void> {
  const { items } = await admin.query("config/get-auth-providers", {});
  if (items.find(({ provider }) => provider === name)?.enabled) return;
  const { clientId, clientSecret, issuer } = providers[name];
  switch (name) {
    case "apple":
      await admin.command("config/create-apple-config", { clientId, ...team });
      break;
    case "azure":
      await admin.command("config/create-azure-config", { clientId, clientSecret, authority: issuer });
      break;
    case "github":
      await admin.command("config/create-github-config", { clientId, clientSecret, baseUrl: issuer });
      break;
    case "google":
      await admin.command("config/create-google-config", { clientId, clientSecret, baseUrl: issuer });
  }
  await admin.command("config/update-auth-provider", { provider: name, enabled: true });
}

let counter = 5_000;

/** Registers a person, who has an account at the provider and sits before the browser. */
async function register(name: Name): Promise<{ id: string; email: string }> {
  await switchOn(name);
  const sub = String(++counter);
  const email = `Tess.${sub}@slipway.test`;
  const { items: roles } = await admin.query("config/get-roles", {});
  const role =
    roles.find((one) => one.name !== "SUPER_ADMIN") ?? (await admin.command("config/create-role", { name: "Testers" }));
  const user = await admin.command("auth/register-user", {
    firstNames: "Tess",
    lastNames: "Ter",
    email,
    roleId: role.id,
    provider: name,
    status: "active",
  });
  const verified = email.toLowerCase();
  providers[name].person = {
    apple: { sub, email: verified, email_verified: "true" },
    azure: { sub, email: verified, tid: TENANT, oid: `00000000-0000-4000-8000-00000000${sub}` },
    github: { sub, emails: [{ email: verified, primary: true, verified: true }] },
    google: { sub, email: verified, email_verified: true },
  }[name];
  return { id: user.id, email };
}

function button(page: Page, name: Name) {
  return page.getByRole("button", { name: t("auth.providers.continueWith", { provider: NAMES[name] }), exact: true });
}

/** From the console's sign-in through the provider's page, where the person agrees. */
async function signIn(page: Page, name: Name, decision: RegExp = /^Continue as/): Promise<void> {
  await button(page, name).click();
  await page.getByRole("button", { name: decision }).click();
}

async function cookieNames(context: BrowserContext): Promise<string[]> {
  return (await context.cookies(own.url)).map(({ name }) => name).filter((name) => name.startsWith("slipway"));
}

test("a provider is offered as soon as an administrator enables it, and a disabled one is not", async ({ page }) => {
  await page.goto(own.url);
  await expect(new SignInPage(page).heading).toBeVisible();
  await expect(page.getByRole("list", { name: t("auth.providers.label") })).toHaveCount(0);

  await switchOn("google");
  await page.reload();
  await expect(button(page, "google")).toBeVisible();
  await expect(button(page, "github")).toHaveCount(0);
});

test("a user registered with Google signs in there and gets the requested page", async ({ page, context }) => {
  await register("google");
  await page.goto(`${own.url}/profile`);
  await expect(page).toHaveURL(`${own.url}/?next=%2Fprofile`);
  await signIn(page, "google");
  await expect(page).toHaveURL(`${own.url}/profile`);
  await expect(new AppShell(page).heading(t("profile.title"))).toBeVisible();
  // Nothing of the way there is left in the browser: the used ticket ends by itself, and the device is known from now on.
  expect((await cookieNames(context)).filter((name) => !/session|ticket|device/.test(name))).toEqual([]);
  const ticket = (await context.cookies(own.url)).find(({ name }) => name.includes("ticket"));
  expect(ticket).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(await page.evaluate(() => document.cookie)).not.toContain("slipway-sso");

  // The page of the answer, opened again from the history, opens nothing a second time.
  await new AppShell(page).signOut("Tess Ter");
  await expect(new SignInPage(page).heading).toBeVisible();
});

test("GitHub, which has no OpenID Connect, signs users in too", SLOW, async ({ page }) => {
  await register("github");
  await page.goto(own.url);
  await signIn(page, "github");
  await expect(page).toHaveURL(`${own.url}/home`);
  await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
});

test("Apple posts its answer from its own site, and the flow's cookies are sent along", async ({ page, context }) => {
  await register("apple");
  await page.goto(own.url);
  await button(page, "apple").click();
  const agree = page.getByRole("button", { name: /^Continue as/ });
  await expect(agree).toBeVisible();
  const checks = (await context.cookies(own.url)).filter(({ name }) => name.includes("apple"));
  expect(checks.map(({ name }) => name).sort()).toEqual(
    ["nonce", "pkce", "redirect", "state"].map((check) => `slipway-sso-apple-${check}`),
  );
  for (const check of checks) expect(check).toMatchObject({ sameSite: "None", secure: true, httpOnly: true });
  const posted = page.waitForRequest((request) => request.url() === `${own.url}/api/sso/callback/apple`);
  await agree.click();
  expect((await posted).method()).toBe("POST");
  expect((await (await posted).allHeaders()).origin).not.toBe(own.url);
  await expect(page).toHaveURL(`${own.url}/home`);
  expect((await cookieNames(context)).filter((name) => name.includes("apple"))).toEqual([]);
});

test("signing out ends the provider's session too, and returns to the sign-in", async ({ page }) => {
  await register("azure");
  await page.goto(own.url);
  await signIn(page, "azure");
  await expect(page).toHaveURL(`${own.url}/home`);
  await new AppShell(page).signOut("Tess Ter");
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(new SignInPage(page).heading).toBeVisible();
  await expect(page).toHaveURL(`${own.url}/`);
  // The provider asks again who it is.
  await button(page, "azure").click();
  await expect(page.getByRole("button", { name: /^Continue as/ })).toBeVisible();
});

test("an unregistered person is told so, with what to do and a way back", async ({ page }) => {
  await switchOn("google");
  providers.google.person = { sub: "stranger", email: "stranger@slipway.test", email_verified: true };
  await page.goto(own.url);
  await signIn(page, "google");
  await expect(page.getByRole("heading", { name: t("oauthLogin.failed") })).toBeVisible();
  await expect(page.getByText(t("oauthLogin.errors.not_registered"))).toBeVisible();
  await expect(page.getByText(t("oauthLogin.support"))).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  expect(await untranslatedKeys(page)).toEqual([]);
  await page.getByRole("link", { name: t("oauthLogin.home") }).click();
  await expect(new SignInPage(page).heading).toBeVisible();
});

test("a user who cancels at the provider is told so and can try again", SLOW, async ({ page }) => {
  await register("google");
  await page.goto(own.url);
  await signIn(page, "google", /^Cancel$/);
  await expect(page.getByText(t("oauthLogin.errors.cancelled"))).toBeVisible();

  await page.goto(own.url);
  await button(page, "google").click();
  await expect(page.getByRole("button", { name: /^Continue as/ })).toBeVisible();
  await page.goBack();
  await expect(button(page, "google")).toBeEnabled();
  await signIn(page, "google");
  await expect(page).toHaveURL(`${own.url}/home`);
});

test("an answer that is replayed, also in another browser, starts no session", async ({ page, browser, problems }) => {
  problems.expect(/401/);
  await register("google");
  let state = "";
  page.on("request", (request) => {
    if (request.url().startsWith(`${own.url}/oauth-login?state=`)) state = request.url();
  });
  await page.goto(own.url);
  await signIn(page, "google");
  await expect(page).toHaveURL(`${own.url}/home`);
  expect(state).toContain("state=");

  await page.goto(state);
  await expect(page.getByText(t("oauthLogin.errors.interrupted"))).toBeVisible();

  const elsewhere = await browser.newContext({ locale: "es-ES" });
  const other = await elsewhere.newPage();
  await other.goto(state);
  await expect(other.getByText(t("oauthLogin.errors.interrupted"))).toBeVisible();
  await elsewhere.close();
});

test("a provider that does not answer is reported at its button", async ({ page, problems }) => {
  problems.expect(/502/);
  await switchOn("google");
  const silent = await startIdentityProvider({ consoleUrl: () => own.url, as: "gitlab" });
  await admin.command("config/create-gitlab-config", { clientId: "x", clientSecret: "x", baseUrl: silent.issuer });
  await admin.command("config/update-auth-provider", { provider: "gitlab", enabled: true });
  await silent.close();
  await page.goto(own.url);
  await page.getByRole("button", { name: t("auth.providers.continueWith", { provider: "GitLab" }) }).click();
  await expect(new AppShell(page).notification(t("failures.auth/oauth-login"))).toBeVisible();
  await expect(button(page, "google")).toBeEnabled();
});

test("a command-line tool gets the ticket on its local port and exchanges it for a session", async ({ page }) => {
  const { email } = await register("google");
  const arrived = Promise.withResolvers<URL>();
  const tool = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/callback") arrived.resolve(url);
    response.writeHead(url.pathname === "/callback" ? 200 : 204).end("<title>Done</title>");
  });
  await new Promise<void>((resolve) => tool.listen(0, "127.0.0.1", resolve));
  const { port } = tool.address() as AddressInfo;
  const redirectTo = `http://127.0.0.1:${port}/callback`;
  const { url } = await admin.command("auth/oauth-login", { provider: "google", redirectTo });
  await page.goto(url);
  await page.getByRole("button", { name: /^Continue as/ }).click();
  const state = (await arrived.promise).searchParams.get("state") as string;
  await expect(page).toHaveTitle("Done");
  const session = await fetch(`${own.url}/api/auth/oauth-login-create-session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ state }),
  });
  expect(session.status).toBe(200);
  expect(((await session.json()) as { user: { email: string } }).user.email).toBe(email);
  expect(session.headers.get("set-cookie")).toContain("slipway-session=");
  tool.closeAllConnections();
  tool.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const [device, viewport] of Object.entries({
    desktop: { width: 1440, height: 900 },
    phone: { width: 390, height: 844 },
  })) {
    test(
      `the sign-in with all providers and the callback page stand well, ${colorScheme} on a ${device}`,
      slowUnless(colorScheme === "dark" && device === "phone"),
      async ({ page }, info) => {
        for (const name of Object.keys(NAMES) as Name[]) await switchOn(name);
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.goto(own.url);
        await expect(button(page, "apple")).toBeVisible();
        await page.screenshot({ path: info.outputPath("sign-in.png"), fullPage: true });
        expect(await sidewaysOverflow(page)).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
        expect(await untranslatedKeys(page)).toEqual([]);

        // The answer is held back to see the pending state.
        await page.route("**/api/auth/oauth-login-create-session", () => undefined);
        await page.goto(`${own.url}/oauth-login?state=x`);
        await expect(page.getByRole("heading", { name: t("oauthLogin.title") })).toBeVisible();
        await page.screenshot({ path: info.outputPath("verifying.png") });
        expect(await axeViolations(page)).toEqual([]);

        await page.goto(`${own.url}/oauth-login?error=provider_failed`);
        await expect(page.getByText(t("oauthLogin.errors.provider_failed"))).toBeVisible();
        await page.screenshot({ path: info.outputPath("failed.png") });
        expect(await sidewaysOverflow(page)).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
      },
    );
  }
}
