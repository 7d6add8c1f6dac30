import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The user's own passkeys, in Spanish. */
export class PasskeysPage {
  static readonly PATH = "/profile?tab=passkeys";
  readonly add: Locator;
  readonly form: Locator;
  readonly name: Locator;
  readonly submit: Locator;

  constructor(readonly page: Page) {
    this.add = page.getByRole("main").getByRole("button", { name: t("passkeys.add"), exact: true });
    this.form = page.getByRole("dialog", { name: t("passkeys.addTitle"), exact: true });
    this.name = this.form.getByLabel(t("passkeys.name"), { exact: true });
    this.submit = this.form.getByRole("button", { name: t("passkeys.addSubmit"), exact: true });
  }

  row(name: string): Locator {
    return this.page.getByRole("row").filter({ hasText: name });
  }

  delete(name: string): Locator {
    return this.page.getByRole("button", { name: t("passkeys.delete", { name }), exact: true });
  }
}
