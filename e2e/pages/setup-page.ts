import type { Locator, Page } from "@playwright/test";
import { plant } from "../../testing/canaries";
import { t } from "../fixtures/messages";

/** The values of the first administrator's form. */
export type SetupValues = Record<"firstNames" | "lastNames" | "email" | "password" | "confirmation", string>;

/** The form of the one-time setup link, in Spanish. */
export class SetupPage {
  readonly firstNames: Locator;
  readonly confirmation: Locator;
  readonly submit: Locator;

  constructor(readonly page: Page) {
    this.firstNames = page.getByLabel(t("setup.firstNames"), { exact: true });
    this.confirmation = page.getByLabel(t("newPassword.confirmation"), { exact: true });
    this.submit = page.getByRole("button", { name: t("setup.submit"), exact: true });
  }

  async fill(values: SetupValues): Promise<void> {
    for (const name of ["firstNames", "lastNames", "email"] as const) {
      await this.page.getByLabel(t(`setup.${name}`), { exact: true }).fill(values[name]);
    }
    plant("password", values.password);
    for (const name of ["password", "confirmation"] as const) {
      await this.page.getByLabel(t(`newPassword.${name}`), { exact: true }).fill(values[name]);
    }
  }
}
