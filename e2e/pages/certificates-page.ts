import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";
import type { Place } from "../fixtures/test";

type Path = "/secure-certificates" | "/manage-secure-certificates";

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });

/** The certificates of an environment, in Spanish. */
export class CertificatesPage {
  static path(path: Path, { appId, environmentId }: Pick<Place, "appId" | "environmentId">): string {
    return `${path}?app=${appId}&environment=${environmentId}`;
  }

  readonly create: Locator;
  readonly dialog: Locator;
  readonly submitButton: Locator;
  readonly file: Locator;
  readonly password: Locator;
  readonly expirationDate: Locator;
  /** What the dialog says about the file. */
  readonly facts: Locator;

  constructor(readonly page: Page) {
    this.create = button(page.getByRole("main"), t("certificates.create")).first();
    this.dialog = page.getByRole("dialog", { name: t("certificates.createTitle"), exact: true });
    this.submitButton = button(this.dialog, t("certificates.create"));
    this.file = this.dialog.locator("input[type=file]");
    this.password = this.dialog.getByLabel(t("certificates.password"));
    this.expirationDate = this.dialog.getByLabel(t("certificates.expirationDate"));
    this.facts = this.dialog.getByRole("region", { name: t("certificates.facts.title"), exact: true });
  }

  row(key: string): Locator {
    return this.page.getByRole("row").filter({ hasText: key });
  }

  /** The dialog that changes a certificate. */
  updateDialog(key: string): Locator {
    return this.page.getByRole("dialog", { name: t("certificates.update", { key }), exact: true });
  }

  async chooseFile(name: string, bytes: Uint8Array, dialog = this.dialog): Promise<void> {
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
  }

  async describe({ name, key }: { name: string; key: string }): Promise<void> {
    await this.dialog.getByLabel(t("certificates.name"), { exact: true }).fill(name);
    await this.dialog.getByLabel(t("certificates.key"), { exact: true }).fill(key);
  }

  async submit(): Promise<void> {
    await this.submitButton.click();
  }

  /** Opens an entry of a certificate's menu. */
  async fromMenu(key: string, entry: string): Promise<void> {
    await button(this.page, t("common.moreActionsFor", { name: key })).click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }
}
