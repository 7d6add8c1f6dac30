import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The roles and their forms, in Spanish. */
export class RolesPage {
  static readonly PATH = "/admin-roles";
  readonly create: Locator;
  readonly form: Locator;
  readonly name: Locator;

  constructor(readonly page: Page) {
    this.create = page
      .getByRole("main")
      .getByRole("button", { name: t("roles.create"), exact: true })
      .first();
    this.form = page.getByRole("dialog");
    this.name = this.form.getByLabel(t("roles.name"), { exact: true });
  }

  row(name: string): Locator {
    return this.page.getByRole("row").filter({ hasText: name });
  }

  async add(name: string): Promise<void> {
    await this.create.click();
    await this.name.fill(name);
    await this.form.getByRole("button", { name: t("roles.create"), exact: true }).click();
  }
}
