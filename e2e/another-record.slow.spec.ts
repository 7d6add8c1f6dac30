import type { Page } from "@playwright/test";
import { anIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

const title = (page: Page, text: string) => page.getByRole("heading", { level: 1 }).filter({ hasText: text });

test("the page of a release has no dialog of the one before", async ({ page, place, admin }) => {
  const publish = (version: string, build: string) =>
    admin.publish(anIpa(place.identifier, { version, build }), {
      environmentId: place.environmentId,
      description: `What changed in ${version}`,
    });
  const { id } = await publish("1.0.0", "1");
  await publish("2.0.0", "2");
  await page.goto(ReleasePage.path(id));
  await page.getByRole("link", { name: t("releases.neighbour.next", { name: "2.0.0 (2)" }), exact: true }).click();
  await expect(title(page, "2.0.0 (2)")).toBeVisible();
  await page.getByRole("button", { name: t("feedback.give"), exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("2.0.0 (2)");
  await page.goBack();
  await expect(title(page, "1.0.0 (1)")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an environment publishes to itself after another one", async ({ page, place, admin }) => {
  const { appId, environmentName } = place;
  const other = `Production ${environmentName}`;
  await admin.command("apps/create-environment-app", { appId, name: other, status: "active" });
  const upload = new UploadDialog(page);
  const publish = page.getByRole("main").getByRole("button", { name: t("releases.empty.action"), exact: true });
  const into = (environment: string) =>
    expect(upload.dialog.getByText(t("upload.description", { environment }), { exact: true })).toBeVisible();
  await page.goto(ReleasesPage.path(place));
  await page.getByRole("button", { name: `${t("environments.switch")}: ${environmentName}`, exact: true }).click();
  await page.getByRole("menuitem", { name: other, exact: true }).click();
  await expect(title(page, other)).toBeVisible();
  await publish.click();
  await into(other);
  await page.goBack();
  await expect(title(page, `/ ${environmentName}`)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await publish.click();
  await into(environmentName);
});
