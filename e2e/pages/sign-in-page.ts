import type { Locator, Page } from "@playwright/test";
import { plant } from "../../testing/canaries";
import type { Credentials } from "../../testing/console-client";
import { t } from "../fixtures/messages";

/** The sign-in page, in Spanish. */
export class SignInPage {
  readonly heading: Locator;
  readonly email: Locator;
  readonly password: Locator;
  readonly submit: Locator;
  readonly passkey: Locator;
  readonly expiredNotice: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { name: t("auth.title"), exact: true });
    this.email = page.getByLabel(t("auth.email"), { exact: true });
    this.password = page.getByLabel(t("auth.password"), { exact: true });
    this.submit = page.getByRole("button", { name: t("auth.submit"), exact: true });
    this.passkey = page.getByRole("button", { name: t("auth.passkey.submit"), exact: true });
    this.expiredNotice = page.getByText(t("auth.expired.title"), { exact: true });
  }

  async signIn({ email, password }: Credentials): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(plant("password", password));
    await this.submit.click();
  }
}
