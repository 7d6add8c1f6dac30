import { makeIcon } from "@slipway/installers/testing";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { copyButton } from "./pages/copy-button";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";

test("the dashboard links to each section of the administration with its count", async ({ page }) => {
  await page.goto("/admin-dashboard");
  const { main } = new AppShell(page);
  const sections = main.getByRole("navigation", { name: t("dashboard.sectionsLabel"), exact: true });
  const paths = {
    apps: "/admin-apps",
    platforms: "/admin-platforms",
    users: "/admin-users",
    roles: "/admin-roles",
    permissions: "/admin-permissions",
    appConfig: "/admin-app-config",
    logs: "/admin-logs",
  } as const;
  for (const [key, path] of Object.entries(paths)) {
    const link = sections.getByTitle(t(`nav.pages.${key as keyof typeof paths}`), { exact: true });
    await expect(link).toHaveAttribute("href", new RegExp(`^${path}`));
    await expect(link).toHaveText(/^[\d.]+\s/);
  }
});

test("the page of a release shows its environment, its date and the button that downloads it", async ({
  page,
  place,
  admin,
}) => {
  const release = await admin.publish(anIpa(place.identifier, { version: "2.4.0", build: "118" }), {
    environmentId: place.environmentId,
    description: "What changed",
  });
  await page.goto(ReleasePage.path(release.id));
  const { main } = new AppShell(page);
  const shown = new ReleasePage(page);
  await expect(shown.heading("2.4.0 (118)")).toBeVisible();
  await expect(main.getByText(place.environmentName).filter({ visible: true })).not.toHaveCount(0);
  const date = main.locator("time").first();
  await expect(date).toBeVisible();
  expect(Date.parse((await date.getAttribute("datetime")) ?? "")).toBe(Date.parse(release.deployDate));
  await expect(shown.download).toBeVisible();
});

test(
  "the connection of an environment has the configuration of a server, an app and a command line",
  SLOW,
  async ({ page, place }) => {
    await page.goto(`/environment-app?app=${place.appId}&environment=${place.environmentId}&tab=connect`);
    await settled(page);
    for (const part of ["server", "mobile", "cli"] as const) {
      const section = page.locator(`#${part}`);
      await expect(section.getByText(t(`environments.connect.${part}.title`), { exact: true })).toBeVisible();
      await expect(section.locator("pre").first()).toContainText(baseUrl());
    }
  },
);

test.describe("the profile", () => {
  test.use({ signedIn: false });

  test("the profile shows names, e-mail, role and team; the names are changed, and the rest is the administrator's", async ({
    page,
    context,
    database,
    admin,
  }) => {
    const person = await database.addPerson([]);
    const { role } = await admin.command("auth/update-user", { id: person.id, team: "Compilers" });
    const client = await ConsoleClient.signIn(baseUrl(), person);
    await context.addCookies((await client.request.storageState()).cookies);
    await client.dispose();
    await page.goto("/profile");
    const { main } = new AppShell(page);
    for (const text of ["Tess", "Ter", person.email, role.name, "Compilers"]) {
      await expect(main.getByText(text, { exact: true }).first()).toBeVisible();
    }
    await main.getByRole("button", { name: t("profile.edit"), exact: true }).click();
    const form = page.getByRole("dialog", { name: t("profile.edit"), exact: true });
    await expect(form.getByRole("textbox")).toHaveCount(2);
    await form.getByLabel(t("profile.firstNames"), { exact: true }).fill("Augusta Ada");
    await form.getByLabel(t("profile.lastNames"), { exact: true }).fill("Lovelace");
    await form.getByRole("button", { name: t("profile.save"), exact: true }).click();
    await expect(form).toHaveCount(0);
    const { items } = await admin.query("auth/get-users", { search: person.email });
    expect(items).toMatchObject([{ firstNames: "Augusta Ada", lastNames: "Lovelace", team: "Compilers" }]);
  });
});

test("an answer that is none of the API says what could not be done, and why", async ({ page, problems }) => {
  problems.expect(/502/);
  const roles = new RolesPage(page);
  await page.route("**/api/config/create-role", (route) =>
    route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
  );
  await page.goto(RolesPage.PATH);
  await roles.add("Testers");
  const alert = roles.form.getByRole("alert");
  await expect(alert).toContainText(t("failures.config/create-role"));
  await expect(alert).toContainText(t("clientErrors.unexpected.detail"));
  await expect(roles.name).toHaveValue("Testers");
});

test("a text that the browser does not copy is reported", async ({ page, place, admin }) => {
  await admin.publish(anIpa(place.identifier, { version: "2.4.0", build: "118" }), {
    environmentId: place.environmentId,
    description: "What changed",
  });
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
  });
  await page.goto(ReleasesPage.path(place));
  await new ReleasesPage(page).share("2.4.0 (118)").click();
  await copyButton(page.getByRole("dialog"), t("releases.share.link")).click();
  await expect(new AppShell(page).notification(t("common.copy.failedTitle"))).toBeVisible();
});

test("a QR code whose code cannot be loaded says so in its place", SLOW, async ({ page, place, admin, problems }) => {
  problems.expectLostConnections();
  problems.expect(/Failed to load chunk|ChunkLoadError/);
  await admin.publish(anIpa(place.identifier, { version: "2.4.0", build: "118" }), {
    environmentId: place.environmentId,
    description: "What changed",
  });
  // A message of the package that draws the code.
  const mark = "The amount of data is too big to be stored in a QR Code";
  let found = false;
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    const response = await route.fetch();
    if (!(await response.text()).includes(mark)) return route.fulfill({ response });
    found = true;
    return route.abort();
  });
  await page.goto(ReleasesPage.path(place));
  await new ReleasesPage(page).share("2.4.0 (118)").click();
  await expect(page.getByText(t("common.qr.loadFailed"), { exact: true })).toBeVisible();
  expect(found).toBe(true);
});

test("an image over 300,000 bytes is refused before it is sent, with the maximum in KB", SLOW, async ({ page }) => {
  await page.goto("/admin-platforms");
  await page
    .getByRole("main")
    .getByRole("button", { name: t("platforms.create"), exact: true })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/files/upload-file")) sent.push(request.url());
  });
  const choose = (size: number) => {
    const buffer = Buffer.concat([Buffer.from(makeIcon({ size: 32 })), Buffer.alloc(size)]).subarray(0, size);
    return dialog.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  };
  await choose(300_001);
  await expect(dialog.getByText(t("common.image.tooLarge", { maximum: "300" }), { exact: true })).toBeVisible();
  expect(sent).toEqual([]);
});
