import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The applications and the dialog that adds one, in Spanish. */
export class AppsPage {
  readonly create: Locator;
  readonly dialog: Locator;
  readonly chooseLogo: Locator;
  readonly logo: Locator;
  readonly name: Locator;
  readonly identifier: Locator;
  readonly identifierIsRight: Locator;
  readonly submit: Locator;

  constructor(readonly page: Page) {
    const label = t("apps.create");
    this.create = page.getByRole("main").getByRole("button", { name: label, exact: true }).first();
    this.dialog = page.getByRole("dialog", { name: label, exact: true });
    this.chooseLogo = this.dialog.getByRole("button", { name: t("common.image.choose"), exact: true });
    this.logo = this.dialog.getByRole("img", { name: t("apps.logo"), exact: true });
    this.name = this.dialog.getByRole("textbox", { name: t("apps.name"), exact: true });
    this.identifier = this.dialog.getByRole("textbox", { name: t("apps.identifier"), exact: true });
    this.identifierIsRight = this.dialog.getByText(t("apps.identifierValid"), { exact: true });
    this.submit = this.dialog.getByRole("button", { name: label, exact: true });
  }

  row(name: string): Locator {
    return this.page.getByRole("row").filter({ has: this.page.getByRole("link", { name }) });
  }
}
