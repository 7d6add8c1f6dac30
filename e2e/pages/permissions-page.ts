import type { Locator, Page } from "@playwright/test";
import type { Scope } from "@/lib/permissions/scopes";
import { t } from "../fixtures/messages";

/** The permissions and their form, in Spanish. */
export class PermissionsPage {
  static readonly PATH = "/admin-permissions";
  readonly create: Locator;
  readonly form: Locator;
  /** The sentence that says what the role will be able to do. */
  readonly sentence: Locator;

  constructor(readonly page: Page) {
    this.create = page
      .getByRole("main")
      .getByRole("button", { name: t("permissions.create"), exact: true })
      .first();
    this.form = page.getByRole("dialog");
    this.sentence = this.form.locator("output");
  }

  row(text: string): Locator {
    return this.page.getByRole("row").filter({ hasText: text });
  }

  scope(scope: Scope): Locator {
    return this.form.getByRole("checkbox", { name: t(`scopes.${scope}`) });
  }

  async choose(label: string, text: string): Promise<void> {
    await this.form.getByRole("combobox", { name: label, exact: true }).click();
    await this.page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(text);
    await this.page.getByRole("option", { name: text }).click();
  }

  /** Adds an application to the selection with a single environment. */
  async chooseEnvironment(app: string, environment: string): Promise<void> {
    await this.choose(t("permissions.addApp"), app);
    const chosen = this.form.getByRole("group", { name: app, exact: true });
    await chosen.getByRole("radio", { name: t("permissions.someEnvironments"), exact: true }).click();
    await chosen.getByRole("checkbox", { name: environment, exact: true }).click();
  }

  async submit(): Promise<void> {
    await this.form.getByRole("button", { name: t("permissions.create"), exact: true }).click();
  }

  async fromMenu(role: string, entry: string): Promise<void> {
    await this.page.getByRole("button", { name: t("common.moreActionsFor", { name: role }), exact: true }).click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }
}
