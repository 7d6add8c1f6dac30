import { expect, type Locator, type Page } from "@playwright/test";
import { AuthenticatorApp } from "../../testing/authenticator-app";
import { t } from "../fixtures/messages";

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });

/** The second step of the sign-in, in Spanish. */
export class SecondFactorPage {
  readonly heading: Locator;
  readonly code: Locator;
  readonly recoveryCode: Locator;
  readonly useRecoveryCode: Locator;
  readonly submit: Locator;
  readonly otherAccount: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { name: t("twoFactor.signIn.title"), exact: true });
    this.code = page.getByLabel(t("twoFactor.proof.code"), { exact: true });
    this.recoveryCode = page.getByLabel(t("twoFactor.proof.recoveryCode"), { exact: true });
    this.useRecoveryCode = button(page, t("twoFactor.proof.useRecoveryCode"));
    this.submit = button(page, t("twoFactor.signIn.submit"));
    this.otherAccount = button(page, t("twoFactor.signIn.otherAccount"));
  }
}

/** The user's two-factor authentication in the profile, with the enrollment wizard, in Spanish. */
export class TwoFactorTab {
  static readonly PATH = "/profile?tab=two-factor";
  readonly main: Locator;
  readonly begin: Locator;
  readonly secret: Locator;
  readonly scanned: Locator;
  readonly code: Locator;
  readonly recoveryCodes: Locator;
  readonly saved: Locator;
  readonly finish: Locator;
  readonly done: Locator;
  /** In place of `done`, for someone who was led here from another page. */
  readonly goOn: Locator;
  readonly delete: Locator;
  readonly deletion: Locator;
  readonly confirmDeletion: Locator;
  readonly renew: Locator;
  readonly renewal: Locator;

  constructor(readonly page: Page) {
    this.main = page.getByRole("main");
    this.begin = button(this.main, t("twoFactor.begin"));
    this.secret = this.main.locator("code");
    this.scanned = button(this.main, t("twoFactor.wizard.scan.next"));
    this.code = page.getByLabel(t("twoFactor.proof.code"), { exact: true });
    this.recoveryCodes = page.getByRole("list", { name: t("twoFactor.recovery.title"), exact: true });
    this.saved = page.getByRole("checkbox", { name: t("twoFactor.wizard.recovery.saved"), exact: true });
    this.finish = button(this.main, t("twoFactor.wizard.recovery.next"));
    this.done = button(this.main, t("twoFactor.wizard.success.done"));
    this.goOn = button(this.main, t("twoFactor.wizard.success.goOn"));
    this.delete = button(this.main, t("twoFactor.delete.action"));
    this.deletion = page.getByRole("dialog", { name: t("twoFactor.delete.title"), exact: true });
    this.confirmDeletion = button(this.deletion, t("twoFactor.delete.confirm"));
    this.renew = button(this.main, t("twoFactor.renew.action"));
    this.renewal = page.getByRole("dialog");
  }

  heading(name: string): Locator {
    return this.main.getByRole("heading", { name, exact: true });
  }

  /** An authenticator app that is set up with the displayed secret. */
  async app(algorithm?: "sha1"): Promise<AuthenticatorApp> {
    const secret = ((await this.secret.textContent()) ?? "").replaceAll(" ", "");
    expect(secret).toMatch(/^[A-Z2-7]{52}$/);
    return new AuthenticatorApp(secret, algorithm);
  }

  /** The displayed recovery codes. */
  async codes(): Promise<string[]> {
    await expect(this.recoveryCodes.getByRole("listitem")).toHaveCount(10);
    return this.recoveryCodes.getByRole("listitem").allTextContents();
  }
}
