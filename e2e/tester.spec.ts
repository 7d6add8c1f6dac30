import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import type { Person } from "./fixtures/database";
import { t } from "./fixtures/messages";
import { test as base, expect } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";

type Release = Awaited<ReturnType<ConsoleClient["publish"]>>;

interface Fixtures {
  /** A user who may only read and download the releases of `place`; the browser is signed in as this user. */
  tester: Person;
  client: ConsoleClient;
  release: Release;
}

const test = base.extend<Fixtures>({
  signedIn: false,
  tester: async ({ database, place }, use) => {
    const { appId, environmentId } = place;
    await use(await database.addPerson([{ scopes: ["release:read", "release:download"], appId, environmentId }]));
  },
  client: async ({ tester, context }, use) => {
    const client = await ConsoleClient.signIn(baseUrl(), tester);
    await context.addCookies((await client.request.storageState()).cookies);
    await use(client);
    await client.dispose();
  },
  release: async ({ admin, place }, use) => {
    const { environmentId, identifier } = place;
    const ipa = anIpa(identifier, { version: "2.4.0", build: "118" });
    await use(await admin.publish(ipa, { environmentId, description: "What changed" }));
  },
});

test("a tester gets from home to a release of the one application that they have access to", async ({
  page,
  place,
  newPlace,
  client,
  release,
}) => {
  const other = await newPlace();
  await page.goto("/home");
  const shell = new AppShell(page);
  await expect(shell.main.getByRole("link", { name: place.appName, exact: true })).toBeVisible();
  await expect(shell.main.getByRole("link", { name: other.appName })).toHaveCount(0);
  expect((await client.query("apps/get-authorized-apps", {})).items.map(({ id }) => id)).toEqual([place.appId]);

  await expect(shell.navigation).toHaveCount(0);
  await expect(shell.main).toContainText("What changed");

  await shell.main.getByRole("link", { name: place.appName, exact: true }).click();
  await expect(shell.heading(place.appName)).toBeVisible();
  await new ReleasesPage(page).link(`${release.version} (${release.buildNumber})`).click();
  await expect(new ReleasePage(page).heading("2.4.0 (118)")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("What changed");
});

test("what a tester may not do is not shown, and is refused when requested directly", async ({
  page,
  place,
  client,
  release,
}) => {
  const releases = new ReleasesPage(page);
  for (const route of ["/releases", "/manage-testing-deploys"]) {
    await page.goto(ReleasesPage.path(place, route));
    await expect(releases.row("2.4.0 (118)")).toBeVisible();
    await expect(releases.upload).toHaveCount(0);
    await releases.openMenu("2.4.0 (118)");
    await expect(releases.menuEntry(t("releases.menu.download"))).toBeVisible();
    await expect(releases.menuEntry(t("releases.menu.edit"))).toHaveCount(0);
    await expect(releases.menuEntry(t("releases.menu.delete"))).toHaveCount(0);
    await page.keyboard.press("Escape");
  }
  const shell = new AppShell(page);
  for (const name of ["dashboard", "apps", "platforms", "appConfig"] as const) {
    await expect(shell.navigationLink(name)).toHaveCount(0);
  }
  await page.goto(`/manage-app-environments?app=${place.appId}`);
  await expect(shell.main.getByText(place.environmentName).first()).toBeVisible();
  await expect(shell.main.getByRole("button", { name: t("environments.create") })).toHaveCount(0);

  const refused = [
    ["apps/update-testing-deploy", { id: release.id, description: "Mine" }],
    ["apps/delete-testing-deploy", { id: release.id }],
    ["apps/update-environment-app", { id: place.environmentId, name: "Mine" }],
    ["files/create-upload", { name: "app.ipa", size: 1_000 }],
  ] as const;
  for (const [operation, data] of refused) {
    expect((await client.request.post(`/api/${operation}`, { data })).status(), operation).toBe(403);
  }
});

test("what belongs to another application is not found for a tester, in the pages and in the API", async ({
  page,
  newPlace,
  admin,
  client,
  problems,
}) => {
  // A page that is found missing while it streams is finished by the browser, which React reports as #419.
  problems.expect(/404|#419/);
  const other = await newPlace();
  const foreign = await admin.publish(anIpa(other.identifier), {
    environmentId: other.environmentId,
    description: "Not yours",
  });
  const paths = [
    `/app-environments?app=${other.appId}`,
    `/manage-app-environments?app=${other.appId}`,
    ReleasesPage.path(other, "/releases"),
    ReleasesPage.path(other, "/manage-testing-deploys"),
    ReleasePage.path(foreign.id),
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: t("shell.notFound.title") }), path).toBeVisible();
    expect(await page.content()).not.toContain(other.appName);
  }
  const queries = [
    `apps/get-app?id=${other.appId}`,
    `apps/get-environment-app?id=${other.environmentId}`,
    `apps/get-testing-deploys?environmentId=${other.environmentId}`,
    `apps/get-testing-deploy-by-id?id=${foreign.id}`,
    `apps/download-testing-deploy-file?id=${foreign.id}`,
  ];
  for (const query of queries) expect((await client.request.get(`/api/${query}`)).status(), query).toBe(404);
});

test("a user who may look but not download is told so and gets no file", async ({
  page,
  context,
  database,
  place,
  release,
}) => {
  const { appId, environmentId } = place;
  const reader = await database.addPerson([{ scopes: ["release:read"], appId, environmentId }]);
  const client = await ConsoleClient.signIn(baseUrl(), reader);
  await context.addCookies((await client.request.storageState()).cookies);
  const apk = await client.request.get(`/api/apps/download-testing-deploy-file?id=${release.id}`);
  expect(apk.status()).toBe(403);
  await page.goto(ReleasePage.path(release.id));
  const shown = new ReleasePage(page);
  await expect(shown.heading("2.4.0 (118)")).toBeVisible();
  await expect(shown.download).toHaveCount(0);
  await client.dispose();
});

test("a deactivated user is signed out at once", async ({ page, database, client, tester }) => {
  await page.goto("/home");
  await expect(new AppShell(page).heading(t("home.title"))).toBeVisible();
  await database.switchOff(tester.id);
  expect((await client.request.get("/api/auth/get-user-profile")).status()).toBe(401);
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/\?next=/);
});
