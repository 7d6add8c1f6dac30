import type { Locator, Page } from "@playwright/test";
import { plant } from "../../testing/canaries";
import { t } from "../fixtures/messages";

/** The form that requests a recovery link, in Spanish. */
export class RecoveryPage {
  static readonly PATH = "/generate-password-recovery";
  readonly email: Locator;
  readonly submit: Locator;
  readonly sent: Locator;
  readonly again: Locator;

  constructor(page: Page) {
    this.email = page.getByLabel(t("recovery.email"), { exact: true });
    this.submit = page.getByRole("button", { name: t("recovery.submit"), exact: true });
    this.sent = page.getByRole("heading", { name: t("recovery.sent.title"), exact: true });
    this.again = page.getByRole("button", { name: t("recovery.sent.again"), exact: true });
  }

  async ask(email: string): Promise<void> {
    await this.email.fill(email);
    await this.submit.click();
  }
}

/** The form that sets a new password, in Spanish. */
export class ResetPasswordPage {
  readonly heading: Locator;
  readonly password: Locator;
  readonly confirmation: Locator;
  readonly submit: Locator;
  readonly done: Locator;
  readonly expired: Locator;
  readonly toRecovery: Locator;
  readonly toLogin: Locator;

  constructor(page: Page) {
    const heading = (name: string) => page.getByRole("heading", { name, exact: true });
    this.heading = heading(t("resetPassword.title"));
    this.password = page.getByLabel(t("newPassword.password"), { exact: true });
    this.confirmation = page.getByLabel(t("newPassword.confirmation"), { exact: true });
    this.submit = page.getByRole("button", { name: t("resetPassword.submit"), exact: true });
    this.done = heading(t("resetPassword.done.title"));
    this.expired = heading(t("resetPassword.expired.title"));
    this.toRecovery = page.getByRole("link", { name: t("resetPassword.expired.action"), exact: true });
    this.toLogin = page.getByRole("link", { name: t("resetPassword.done.action"), exact: true });
  }

  async choose(password: string, confirmation = password): Promise<void> {
    await this.password.fill(plant("password", password));
    await this.confirmation.fill(confirmation);
    await this.submit.click();
  }
}
