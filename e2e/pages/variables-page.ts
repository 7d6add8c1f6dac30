import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";
import type { Place } from "../fixtures/test";

type Path = "/dev-variables" | "/manage-dev-variables" | "/secure-variables" | "/manage-secure-variables";

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });

/** The variables of an environment, with their import and history, in Spanish. */
export class VariablesPage {
  static path(path: Path, { appId, environmentId }: Pick<Place, "appId" | "environmentId">): string {
    return `${path}?app=${appId}&environment=${environmentId}`;
  }

  readonly main: Locator;
  readonly create: Locator;
  readonly import: Locator;
  readonly dialog: Locator;
  readonly name: Locator;
  readonly key: Locator;
  readonly value: Locator;
  readonly submitCreation: Locator;
  readonly content: Locator;
  readonly checkImport: Locator;
  readonly compareVersions: Locator;
  /** The numbers of the compared versions. */
  readonly from: Locator;
  readonly to: Locator;

  constructor(readonly page: Page) {
    this.main = page.getByRole("main");
    this.create = button(this.main, t("variables.create")).first();
    this.import = button(this.main, t("variables.import.action")).first();
    this.dialog = page.getByRole("dialog");
    this.name = this.dialog.getByLabel(t("variables.name"), { exact: true });
    this.key = this.dialog.getByLabel(t("variables.key"), { exact: true });
    this.value = this.dialog.getByLabel(t("variables.value"), { exact: true });
    this.submitCreation = button(this.dialog, t("variables.create"));
    this.content = this.dialog.getByLabel(t("variables.import.text"), { exact: true });
    this.checkImport = button(this.dialog, t("variables.import.check"));
    this.compareVersions = button(this.main, t("configuration.history.compareVersions"));
    this.from = this.dialog.getByLabel(t("configuration.diff.from"), { exact: true });
    this.to = this.dialog.getByLabel(t("configuration.diff.to"), { exact: true });
  }

  row(key: string): Locator {
    return this.page.getByRole("row").filter({ hasText: key });
  }

  async add(variable: { name: string; key: string; value: string }): Promise<void> {
    await this.create.click();
    await this.name.fill(variable.name);
    await this.key.fill(variable.key);
    await this.value.fill(variable.value);
    await this.submitCreation.click();
  }

  /** Opens an entry of a variable's menu. */
  async fromMenu(key: string, entry: string): Promise<void> {
    await button(this.page, t("common.moreActionsFor", { name: key })).click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }

  async saveChanges(): Promise<void> {
    await button(this.dialog, t("variables.save")).click();
  }

  /** Pastes a file and checks what its import would change. */
  async check(text: string): Promise<void> {
    await this.import.click();
    await this.content.fill(text);
    await this.checkImport.click();
  }

  /** Chooses what an import does with the variables that its text does not have. */
  async chooseImportMode(mode: "merge" | "replace"): Promise<void> {
    await this.dialog.getByLabel(t("variables.import.mode"), { exact: true }).click();
    await this.page.getByRole("option", { name: t(`variables.import.modes.${mode}`), exact: true }).click();
  }

  /** Chooses a file to import. */
  async chooseFile(name: string, buffer: Buffer): Promise<void> {
    await this.dialog.locator("input[type=file]").setInputFiles({ name, mimeType: "", buffer });
  }

  /** Saves the variables as a file of a format. */
  async export(format: string): Promise<void> {
    await button(this.main, t("variables.export.action")).click();
    await this.page.getByRole("menuitem", { name: format, exact: true }).click();
  }

  /** The button that imports what was checked. */
  submitImport(count: number): Locator {
    return button(this.dialog, t("variables.import.submit", { count }));
  }

  /** The button that reveals a secure value. */
  reveal(key: string): Locator {
    return button(this.page, t("variables.secret.reveal", { name: key }));
  }

  /** The link to a part of the page. */
  tab(key: "list" | "environments" | "history"): Locator {
    const names = {
      list: t("configuration.kinds.dev-variable"),
      environments: t("configuration.comparison.title"),
      history: t("configuration.history.title"),
    };
    return this.main.getByRole("link", { name: names[key], exact: true });
  }

  /** The button that compares a version with the current one, or with the one before it. */
  compare(version: number, label: "compare" | "comparePrevious" = "compare"): Locator {
    const name = `${t(`configuration.history.${label}`)}: ${t("configuration.history.version", { version })}`;
    return button(this.main, name);
  }

  restore(version: number): Locator {
    return button(this.main, t("configuration.history.restoreVersion", { version }));
  }

  /** The button that shows what a copy of a key to another environment would change. */
  copyTo(key: string, environment: string): Locator {
    return button(this.main, t("configuration.comparison.copyKey", { key, environment }));
  }

  /** The button that copies what was shown. */
  submitCopy(count: number): Locator {
    return button(this.dialog, t("configuration.copy.submit", { count }));
  }
}
