import type { Page } from "@playwright/test";
import type { OperationPath } from "@/lib/client/operation-types";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { expect, type Place, test } from "./fixtures/test";

type Failure = Parameters<typeof t>[0];

interface Row {
  /** The operation that is made to fail. */
  operation: OperationPath;
  path: (place: Place) => string;
  /** Sends it. */
  act: (page: Page, place: Place) => Promise<void>;
}

const context = ({ appId, environmentId }: Place) => `app=${appId}&environment=${environmentId}`;

/** Opens the dialog of a button, fills in its fields by label, and submits it. */
async function submitDialog(page: Page, button: string, fields: Record<string, string>): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: button, exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  for (const [label, value] of Object.entries(fields)) {
    await dialog.getByRole("textbox", { name: label, exact: true }).fill(value);
  }
  await dialog.locator("button[type=submit]").click();
}

const ROWS: Row[] = [
  {
    operation: "apps/create-app",
    path: () => "/admin-apps",
    act: (page) =>
      submitDialog(page, t("apps.create"), {
        [t("apps.name")]: "Meteor",
        [t("apps.identifier")]: "com.example.meteor",
      }),
  },
  {
    operation: "apps/update-app",
    path: ({ appId }) => `/registered-app?app=${appId}`,
    act: (page, { appName }) => submitDialog(page, t("apps.update", { name: appName }), { [t("apps.name")]: "Comet" }),
  },
  {
    operation: "apps/create-environment-app",
    path: ({ appId }) => `/registered-app?app=${appId}`,
    act: (page) => submitDialog(page, t("environments.create"), { [t("environments.name")]: "Nightly" }),
  },
  {
    operation: "apps/create-development-variable",
    path: (place) => `/dev-variables?${context(place)}`,
    act: (page) =>
      submitDialog(page, t("variables.create"), {
        [t("variables.name")]: "Greeting",
        [t("variables.key")]: "GREETING",
        [t("variables.value")]: "Hello",
      }),
  },
  {
    operation: "config/create-role",
    path: () => "/admin-roles",
    act: (page) => submitDialog(page, t("roles.create"), { [t("roles.name")]: "Astronauts" }),
  },
  {
    operation: "config/update-app-config",
    path: () => "/admin-app-config",
    act: (page) => submitDialog(page, t("appConfig.info.edit"), { [t("appConfig.info.name")]: "Meteor" }),
  },
  {
    operation: "external-services/update-license",
    path: () => "/admin-app-config?tab=license",
    act: (page) => submitDialog(page, t("license.update"), { [t("license.token")]: "a.b.c" }),
  },
  {
    operation: "auth/update-user-profile",
    path: () => "/profile",
    act: (page) => submitDialog(page, t("profile.edit"), { [t("profile.firstNames")]: "Grace" }),
  },
];

const toast = (page: Page, title: string) => page.locator("[data-sonner-toast]").getByText(title, { exact: true });

for (const { operation, path, act } of ROWS) {
  test(`a failure of ${operation} is a notification whose title says what could not be done`, async ({
    page,
    place,
    problems,
  }) => {
    problems.expect(/500/);
    const problem = {
      type: "urn:slipway:problem:unexpected",
      title: "x",
      status: 500,
      code: "unexpected",
      detail: "Why",
    };
    await page.route(`**/api/${operation}`, (route) =>
      route.fulfill({ status: 500, contentType: "application/problem+json", json: { ...problem, requestId: "1" } }),
    );
    await page.goto(path(place));
    await settled(page);
    await act(page, place);
    await expect(toast(page, t(`failures.${operation}` as Failure))).toBeVisible();
    await expect(page.locator("[data-sonner-toast]").getByText("Why").first()).toBeVisible();
  });
}

test("a server that cannot be reached is a notification of its own", async ({ page, problems }) => {
  problems.expectLostConnections();
  await page.route("**/api/config/create-role", (route) => route.abort("connectionrefused"));
  await page.goto("/admin-roles");
  await settled(page);
  await submitDialog(page, t("roles.create"), { [t("roles.name")]: "Astronauts" });
  await expect(toast(page, t("clientErrors.network.title"))).toBeVisible();
});
