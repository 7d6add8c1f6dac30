import { expect, type Locator, type Page } from "@playwright/test";
import { t } from "../fixtures/messages";
import type { Place } from "../fixtures/test";
import { copyButton } from "./copy-button";

/** The API tokens, the dialog that creates one, and the one that shows it once; in Spanish. */
export class ApiTokensPage {
  static readonly PATH = "/admin-app-config?tab=api-tokens";
  readonly create: Locator;
  readonly form: Locator;

  constructor(readonly page: Page) {
    this.create = page
      .getByRole("main")
      .getByRole("button", { name: t("apiTokens.create"), exact: true })
      .first();
    this.form = page.getByRole("dialog", { name: t("apiTokens.createTitle"), exact: true });
  }

  row(name: string): Locator {
    return this.page.getByRole("row").filter({ hasText: name });
  }

  newToken(name: string): Locator {
    return this.page.getByRole("dialog", { name: t("apiTokens.newTitle", { name }), exact: true });
  }

  /** Fills in the form for a server and submits it. The token is shown afterwards. */
  async createForServer(name: string, place: Place): Promise<void> {
    await this.create.click();
    await this.form.getByLabel(t("apiTokens.name"), { exact: true }).fill(name);
    await this.form.getByRole("combobox", { name: t("apiTokens.app"), exact: true }).click();
    await this.page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(place.appName);
    await this.page.getByRole("option", { name: place.appName }).click();
    // The only environment is selected automatically.
    await expect(this.form.getByRole("combobox", { name: t("apiTokens.environment"), exact: true })).toHaveText(
      place.environmentName,
    );
    await this.form.getByRole("button", { name: t("apiTokens.create"), exact: true }).click();
    await expect(this.newToken(name)).toBeVisible();
  }

  /** Copies a value from the dialog that shows the token. @returns the content of the clipboard */
  async copyFromDialog(name: string, label: string): Promise<string> {
    await copyButton(this.newToken(name), label).click();
    await expect(this.newToken(name).getByRole("button", { name: t("common.copy.done") })).toBeVisible();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}
