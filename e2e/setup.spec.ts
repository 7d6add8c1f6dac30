import { randomBytes } from "node:crypto";
import { noteConsole, plant } from "../testing/canaries";
import { startInstance } from "../testing/instance.ts";
import { makeStore } from "./console.ts";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { AppsPage } from "./pages/apps-page";
import { SetupPage } from "./pages/setup-page";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

test("the setup link that a new console prints creates its first administrator, once", async ({ page, context }) => {
  const { databaseUrl, dataDir } = await makeStore("empty");
  const server = await startInstance("server-setup", {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    MASTER_KEY: plant("master-key", randomBytes(32).toString("base64")),
  });
  noteConsole({ origin: server.url, databaseUrl, dataDir });
  try {
    await page.goto(server.url);
    await expect(page.getByText(t("auth.setupNeeded.title"))).toBeVisible();
    const link = /http:\/\/localhost:\d+\/setup\?token=\S+/.exec(server.log())?.[0] ?? "";

    plant("setup-link", new URL(link).searchParams.get("token") ?? "");
    await page.goto(`${link}x`);
    await expect(page.getByText(t("setup.invalidLink.title"))).toBeVisible();

    await page.goto(link);
    const setup = new SetupPage(page);
    await expect(setup.firstNames).toBeFocused();
    const admin = {
      firstNames: "Ada",
      lastNames: "Quay",
      email: "ada@slipway.test",
      password: "a lantern on the quay",
    };
    await setup.fill({ ...admin, confirmation: "another lantern" });
    await setup.submit.click();
    await expect(page.getByText(t("validation.passwordMismatch"))).toBeVisible();
    await expect(setup.confirmation).toBeFocused();
    await setup.confirmation.fill(admin.password);
    await setup.submit.click();
    await expect(page).toHaveURL(`${server.url}/admin-dashboard`);
    const { main } = new AppShell(page);
    await expect(main.getByText(t("dashboard.firstSteps"))).toBeVisible();

    await test.step("the first steps open their dialogs in place", async () => {
      await main.getByRole("button", { name: t("dashboard.steps.tester.action"), exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      const apps = new AppsPage(page);
      await apps.create.click();
      await apps.name.fill("Orbit");
      await apps.identifier.fill("com.example.orbit");
      await apps.submit.click();
      await expect(apps.dialog).toHaveCount(0);
      await expect(page).toHaveURL(`${server.url}/admin-dashboard`);
      await expect(main.getByText(t("dashboard.progress", { done: 1, total: 4 }))).toBeVisible();
    });

    await page.goto(link);
    await expect(page.getByText(t("setup.done.title"))).toBeVisible();

    await context.clearCookies();
    await page.goto(server.url);
    await expect(page.getByText(t("auth.setupNeeded.title"))).toHaveCount(0);
    const signIn = new SignInPage(page);
    await expect(signIn.email).toBeFocused();
    await signIn.signIn(admin);
    await expect(page).toHaveURL(`${server.url}/admin-dashboard`);
  } finally {
    // What the page still asks for must not meet a server that is gone.
    await page.close();
    await server.stop();
  }
});
