import { randomBytes } from "node:crypto";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { undoButton } from "./fixtures/undo";
import { AppPage } from "./pages/app-page";
import { AppShell } from "./pages/app-shell";

test("the sidebar leads to the environments of the application, of which the current one is marked", async ({
  page,
  admin,
  place,
}) => {
  const second = await admin.command("apps/create-environment-app", {
    appId: place.appId,
    name: "Production",
    status: "active",
  });
  const shell = new AppShell(page);
  await page.goto(`/environment-app?app=${place.appId}&environment=${place.environmentId}`);
  const link = (name: string) => shell.navigation.getByRole("link", { name, exact: true });
  await expect(link(place.environmentName)).toHaveAttribute("aria-current", "page");
  await link("Production").click();
  await expect(page).toHaveURL(new RegExp(`environment=${second.id}`));
  await expect(link("Production")).toHaveAttribute("aria-current", "page");
  await expect(link(place.environmentName)).not.toHaveAttribute("aria-current", "page");
});

test("the tabs of an environment are in the address: back and forward work, and so does the switch of the environment", async ({
  page,
  admin,
  place,
}) => {
  const second = await admin.command("apps/create-environment-app", {
    appId: place.appId,
    name: "Production",
    status: "active",
  });
  const { main } = new AppShell(page);
  const tab = (key: "releases" | "configuration" | "connect" | "settings") =>
    main
      .getByRole("navigation", { name: t("environments.sections"), exact: true })
      .getByRole("link", { name: t(`environments.tabs.${key}`), exact: true });
  await page.goto(`/testing-deploys?app=${place.appId}&environment=${place.environmentId}`);
  await expect(tab("releases")).toHaveAttribute("aria-current", "page");
  await tab("connect").click();
  await expect(tab("connect")).toHaveAttribute("aria-current", "page");
  await tab("configuration").click();
  await expect(page).toHaveURL(/\/dev-variables\?/);
  await page.goBack();
  await expect(tab("connect")).toHaveAttribute("aria-current", "page");
  await page.goForward();
  await expect(tab("configuration")).toHaveAttribute("aria-current", "page");

  const current = `${t("environments.switch")}: ${place.environmentName}`;
  await page.getByRole("button", { name: current, exact: true }).click();
  await page.getByRole("menuitem", { name: "Production", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/dev-variables.*environment=${second.id}`));
  await expect(tab("configuration")).toHaveAttribute("aria-current", "page");

  // The settings are changed in their tab.
  await tab("settings").click();
  const name = main.getByRole("textbox", { name: t("environments.name"), exact: true });
  await name.fill("Customers");
  await main.getByRole("button", { name: t("environments.save"), exact: true }).click();
  await expect(new AppShell(page).notification(t("environments.updated", { name: "Customers" }))).toBeVisible();
  await undoButton(page).click();
  await expect(name).toHaveValue("Production");
});

test("the switcher finds an application without an environment, and shows it as soon as it has been added", async ({
  page,
  admin,
}) => {
  const word = randomBytes(5).toString("hex");
  const name = `Lighthouse ${word}`;
  await page.goto("/admin-apps");
  const app = await admin.command("apps/create-app", {
    name,
    identifier: `com.example.lighthouse${word}`,
    status: "active",
  });
  const label = t("shell.appSwitcher.label");
  // The shell was rendered before the application was added.
  await page.evaluate((href) => window.history.pushState(null, "", href), `/registered-app?app=${app.id}`);
  await expect(page.getByRole("button", { name: `${label}: ${name}`, exact: true })).toBeVisible();

  await page.goto("/admin-dashboard");
  await page.getByRole("button", { name: label, exact: true }).click();
  const switcher = page.getByRole("dialog", { name: label, exact: true });
  await switcher.getByRole("combobox").fill(`lightHOUSE ${word}`);
  await expect(switcher.getByRole("option", { name })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(new AppShell(page).heading(name)).toBeVisible();
  await expect(new AppPage(page).createEnvironment).toHaveCount(1);
});

test("content and top bar begin and end at the same place, however wide the window is", SLOW, async ({ page }) => {
  for (const width of [1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/admin-roles");
    const [heading, crumbs] = [
      await page.getByRole("main").getByRole("heading", { level: 1 }).boundingBox(),
      await page.getByRole("navigation", { name: t("common.breadcrumbs") }).boundingBox(),
    ];
    expect(Math.abs((heading?.x ?? 0) - (crumbs?.x ?? 99)), `${width} px`).toBeLessThan(1);
  }
});

test("the administrators' pages can be folded, which the server knows at the next visit; the current one stays", async ({
  page,
}) => {
  const shell = new AppShell(page);
  const fold = shell.navigation.getByRole("button", { name: t("shell.groups.administer"), exact: true });
  await page.goto("/admin-platforms");
  await fold.click();
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await expect(shell.navigationLink("platforms")).toBeVisible();
  await expect(shell.navigationLink("apps")).toHaveCount(0);

  const answer = await page.request.get("/admin-platforms");
  expect(await answer.text()).not.toContain('href="/admin-logs"');
  await page.reload();
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await fold.click();
  await expect(shell.navigationLink("apps")).toBeVisible();
});
