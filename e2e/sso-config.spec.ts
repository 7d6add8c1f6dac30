import type { Locator, Page } from "@playwright/test";
import { makeIcon } from "@slipway/installers/testing";
import { type IdentityProvider, startIdentityProvider } from "@/lib/testing/identity-provider";
import { type NewConsole, startNewConsole } from "./console.ts";
import { pressByKeyboard, tabTo } from "./fixtures/keyboard";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { undoBeforeRefresh } from "./fixtures/undo";
import { copyButton } from "./pages/copy-button";

test.use({ signedIn: false, permissions: ["clipboard-read", "clipboard-write"] });
test.describe.configure({ mode: "serial" });

// These tests disable sign-in methods, so they run on a console of their own.
let own: NewConsole;
let idp: IdentityProvider;
test.beforeAll(async () => {
  own = await startNewConsole({ OUTBOUND_ALLOWED_HOSTS: "127.0.0.1" });
  idp = await startIdentityProvider({ consoleUrl: () => own.url, as: "gitlab" });
});
test.afterAll(async () => {
  await idp?.close();
  await own?.stop();
});

const name = (provider: "email" | "gitlab") => t(`users.providers.${provider}`);

/** The tabs of single sign-on, in Spanish. */
class SsoPages {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  async open(tab: string): Promise<void> {
    await this.page.goto(`${this.url}/admin-app-config?tab=${tab}`);
  }

  switchOf(provider: "email" | "gitlab"): Locator {
    return this.page.getByRole("switch", { name: t("authProviders.signInWith", { provider: name(provider) }) });
  }

  field(key: "clientId" | "clientSecret" | "baseUrl"): Locator {
    return this.page.getByRole("main").getByLabel(t(`authProviders.configure.${key}`));
  }

  button(key: "save" | "test.action"): Locator {
    return this.page.getByRole("main").getByRole("button", { name: t(`authProviders.configure.${key}`), exact: true });
  }

  told(text: string): Locator {
    return this.page.getByText(text, { exact: true });
  }
}

async function signedIn(page: Page): Promise<SsoPages> {
  const admin = await own.signIn();
  const { cookies } = await admin.request.storageState();
  await page.context().addCookies(cookies);
  await admin.dispose();
  return new SsoPages(page, own.url);
}

test("by keyboard alone, a provider is configured, tested and enabled", async ({ page }) => {
  const sso = await signedIn(page);
  const { keyboard } = page;
  await sso.open("enable-sso");
  await expect(sso.switchOf("gitlab")).toBeDisabled();
  await pressByKeyboard(
    page,
    page.getByRole("link", { name: t("authProviders.enable.configureProvider", { provider: name("gitlab") }) }),
  );
  await expect(page).toHaveURL(/tab=configure-sso&provider=gitlab/);
  await expect(sso.button("test.action")).toBeDisabled();

  await tabTo(page, sso.field("clientId"));
  await keyboard.type("slipway");
  await tabTo(page, sso.field("clientSecret"));
  await keyboard.type(idp.clientSecret);
  await tabTo(page, sso.field("baseUrl"));
  await keyboard.type(idp.issuer);
  await keyboard.press("Enter");
  await expect(sso.told(t("authProviders.configure.saved", { provider: name("gitlab") }))).toBeVisible();
  await expect(sso.field("clientSecret")).toHaveValue("");
  await expect(sso.told(t("authProviders.configure.secretSet"))).toBeVisible();

  await pressByKeyboard(page, sso.button("test.action"));
  await expect(sso.told(t("authProviders.configure.test.ok"))).toBeVisible();

  await sso.open("enable-sso");
  await tabTo(page, sso.switchOf("gitlab"));
  await keyboard.press("Space");
  await expect(sso.told(t("authProviders.enable.switchedOn", { provider: name("gitlab") }))).toBeVisible();
  await page.reload();
  await expect(sso.switchOf("gitlab")).toBeChecked();
});

test("an undo before the page has been refreshed shows that the provider is still enabled", async ({ page }) => {
  const sso = await signedIn(page);
  await sso.open("enable-sso");
  await settled(page);
  await undoBeforeRefresh(page, t("authProviders.enable.switchedOff", { provider: name("gitlab") }), () =>
    sso.switchOf("gitlab").click(),
  );
  await expect(sso.switchOf("gitlab")).toBeChecked();
});

test("the console's name, description and logo are changed, and the sign-in shows them", async ({ page }) => {
  const sso = await signedIn(page);
  await sso.open("info");
  const main = page.getByRole("main");
  await main.getByRole("button", { name: t("appConfig.info.edit"), exact: true }).click();
  const form = page.getByRole("dialog", { name: t("appConfig.info.edit"), exact: true });
  const logo = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(makeIcon({ size: 128 })) };
  await form.locator("input[type=file]").setInputFiles(logo);
  await expect(form.getByRole("img")).toBeVisible();
  await form.getByLabel(t("appConfig.info.name"), { exact: true }).fill("Harbour");
  await form.getByLabel(t("appConfig.info.description")).fill("Builds of the harbour");
  await form.getByRole("button", { name: t("appConfig.info.save"), exact: true }).click();
  await expect(sso.told(t("appConfig.info.saved"))).toBeVisible();
  await expect(main.getByText("Harbour", { exact: true })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(own.url);
  await expect(page.getByText("Harbour").first()).toBeVisible();
  await expect(page.getByText("Builds of the harbour").first()).toBeVisible();
  await expect(page.locator("img[src*='/api/files/download-file']").first()).toBeVisible();
});

test("a saved secret is nowhere in the page, and stays if its field is left empty", async ({ page }) => {
  const sso = await signedIn(page);
  await sso.open("configure-sso&provider=gitlab");
  await expect(sso.field("clientId")).toHaveValue("slipway");
  expect(await page.content()).not.toContain(idp.clientSecret);
  await sso.field("clientId").fill("somebody");
  await sso.button("save").click();
  await expect(sso.told(t("authProviders.configure.saved", { provider: name("gitlab") }))).toBeVisible();

  await sso.button("test.action").click();
  await expect(sso.told(t("authProviders.configure.test.notOk"))).toBeVisible();
  const refusal = t("providerChecks.refused.secret", { methods: "client_secret_post, client_secret_basic" });
  const description = "client authentication failed";
  await expect(sso.told(t("providerChecks.described", { refusal, description }))).toBeVisible();

  await page.reload();
  await sso.field("clientId").fill("slipway");
  await sso.button("save").click();
  await expect(sso.told(t("authProviders.configure.saved", { provider: name("gitlab") }))).toBeVisible();
  await sso.button("test.action").click();
  await expect(sso.told(t("authProviders.configure.test.ok"))).toBeVisible();
});

test("a saved secret must be entered again before another server gets it", async ({ page, problems }) => {
  problems.expect(/422/);
  const sso = await signedIn(page);
  await sso.open("configure-sso&provider=gitlab");
  await sso.field("baseUrl").fill("https://gitlab.example.com");
  await sso.button("save").click();
  await expect(sso.told(t("validation.secretForAddress"))).toBeVisible();
  await expect(sso.field("clientSecret")).toBeFocused();
  await page.reload();
  await expect(sso.field("baseUrl")).toHaveValue(idp.issuer);
});

test("missing or wrong values are reported at their fields, and nothing is lost", SLOW, async ({ page, problems }) => {
  problems.expect(/422/);
  const sso = await signedIn(page);
  await sso.open("configure-sso&provider=google");
  await sso.button("save").click();
  await expect(sso.field("clientId")).toBeFocused();
  await expect(sso.told(t("validation.required"))).toHaveCount(1);
  await expect(sso.told(t("validation.requiredField"))).toHaveCount(2);
  await sso.field("clientId").fill("client");
  await sso.button("save").click();
  await expect(sso.field("clientSecret")).toBeFocused();
  await sso.field("clientSecret").fill("secret");
  await sso.field("baseUrl").fill("https://10.0.0.1");
  await sso.button("save").click();
  await expect(sso.told(t("validation.publicAddress"))).toBeVisible();
  await expect(sso.field("baseUrl")).toBeFocused();
  await expect(sso.field("clientSecret")).toHaveValue("secret");
});

test("the URLs for the provider's console are copied", SLOW, async ({ page }) => {
  const sso = await signedIn(page);
  await sso.open("configure-sso&provider=azure");
  await copyButton(page.getByRole("main"), t("authProviders.configure.uris.redirect")).click();
  await expect(page.getByRole("button", { name: t("common.copy.done") })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${own.url}/api/sso/callback/azure`);
});

test("the administrators' last sign-in method cannot be disabled, and the switch returns to on", async ({
  page,
  problems,
}) => {
  problems.expect(/409/);
  const sso = await signedIn(page);
  await sso.open("enable-sso");
  await sso.switchOf("email").click();
  await expect(sso.told(t("failures.config/update-auth-provider"))).toBeVisible();
  await expect(sso.switchOf("email")).toBeChecked();
});

test("with e-mail sign-in disabled, the sign-in page shows no password field and the API accepts none", async ({
  page,
}) => {
  const admin = await own.signIn();
  const { items: roles } = await admin.query("config/get-roles", {});
  const role = roles.find((one) => one.name === "SUPER_ADMIN");
  await admin.command("auth/register-user", {
    firstNames: "Grace",
    lastNames: "Hopper",
    email: "grace@slipway.test",
    roleId: role?.id as string,
    provider: "gitlab",
    status: "active",
  });
  await admin.command("config/update-auth-provider", { provider: "email", enabled: false });
  await page.goto(`${own.url}/`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByLabel(t("auth.password"), { exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: name("gitlab") })).toBeVisible();
  await expect(own.signIn()).rejects.toThrow(/invalid_credentials|401/);
  await admin.command("config/update-auth-provider", { provider: "email", enabled: true });
  await page.reload();
  await expect(page.getByLabel(t("auth.email"), { exact: true })).toBeVisible();
  await admin.dispose();
});
