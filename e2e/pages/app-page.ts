import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The administration of one application with its environments, in Spanish. */
export class AppPage {
  readonly createEnvironment: Locator;
  readonly dialog: Locator;
  readonly environmentName: Locator;

  constructor(readonly page: Page) {
    const label = t("environments.create");
    this.createEnvironment = page.getByRole("main").getByRole("button", { name: label, exact: true }).first();
    this.dialog = page.getByRole("dialog", { name: label, exact: true });
    this.environmentName = this.dialog.getByRole("textbox", { name: t("environments.name"), exact: true });
  }

  environment(name: string): Locator {
    return this.page.getByRole("row").filter({ hasText: name });
  }

  /** Selects an item of an environment's menu. */
  async choose(environment: string, entry: string): Promise<void> {
    await this.page
      .getByRole("button", { name: t("common.moreActionsFor", { name: environment }), exact: true })
      .click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }
}
