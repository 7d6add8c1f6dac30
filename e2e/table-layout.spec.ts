import { expectReadable, ROW_PX, test } from "./fixtures/crowded-tables";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { expect } from "./fixtures/test";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

test.use({ signedIn: false });

// All other tables are read by `table-layout.slow.spec.ts`.
test("the list of people has two lines per row on phones, and covers and cuts no text there and from 1000 to 1150 px, in all languages", async ({
  page,
  crowded,
}) => {
  await page.context().addCookies(crowded.cookies);
  await expectReadable(page, UsersPage.PATH, ROW_PX);
});

test("a row opens on phones and shows the rest", async ({ page, crowded }) => {
  await page.context().addCookies(crowded.cookies);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(VariablesPage.path("/dev-variables", crowded.place));
  await settled(page);
  const row = page.getByRole("row").nth(1);
  const name = row.getByText("Timeout of the feature service, step", { exact: false });
  await expect(name).toBeHidden();
  const toggle = row.getByRole("button", { name: t("common.table.details"), expanded: false });
  await toggle.click();
  await expect(name).toBeVisible();
  await row.getByRole("button", { name: t("common.table.details"), expanded: true }).click();
  await expect(name).toBeHidden();
});
