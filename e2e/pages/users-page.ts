import { expect, type Locator, type Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The users and their forms, in Spanish. */
export class UsersPage {
  static readonly PATH = "/admin-users";
  readonly create: Locator;
  readonly form: Locator;
  readonly status: Locator;

  constructor(readonly page: Page) {
    this.create = page
      .getByRole("main")
      .getByRole("button", { name: t("invite.title"), exact: true })
      .first();
    this.form = page.getByRole("dialog");
    this.status = this.form.getByRole("switch", { name: t("common.status.label") });
  }

  row(text: string): Locator {
    return this.page.getByRole("row").filter({ hasText: text });
  }

  async fromMenu(name: string, entry: string): Promise<void> {
    await this.page.getByRole("button", { name: t("common.moreActionsFor", { name }), exact: true }).click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }

  async chooseRole(role: string): Promise<void> {
    await this.form.getByRole("combobox", { name: t("profile.role"), exact: true }).click();
    await this.page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(role);
    const option = this.page.getByRole("option", { name: role, exact: true });
    await option.click();
    await expect(option).toBeHidden();
  }

  /** Invites somebody with a name and an existing role. */
  async invite(person: { firstNames: string; lastNames: string; email: string; role: string }): Promise<void> {
    await this.create.click();
    await this.fillInvitation(person);
    await this.submit(t("invite.submit"));
  }

  async fillInvitation({ email, role, ...names }: Parameters<UsersPage["invite"]>[0]): Promise<void> {
    await this.form.getByLabel(t("invite.emails"), { exact: true }).fill(email);
    await this.form.getByRole("radio", { name: t("invite.accessKinds.role"), exact: true }).click();
    await this.chooseRole(role);
    await this.form.getByText(t("invite.nameAndTeam"), { exact: true }).click();
    for (const key of ["firstNames", "lastNames"] as const) {
      await this.form.getByRole("textbox", { name: t(`profile.${key}`) }).fill(names[key]);
    }
  }

  async submit(label: string): Promise<void> {
    await this.form.getByRole("button", { name: label, exact: true }).click();
  }
}
