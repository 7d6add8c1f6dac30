import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The audit log, in Spanish. */
export class AuditLogPage {
  static readonly PATH = "/admin-logs";
  readonly rows: Locator;
  readonly record: Locator;
  readonly chain: Locator;

  constructor(readonly page: Page) {
    this.rows = page.getByRole("table", { name: t("auditLog.title") }).getByRole("row");
    this.record = page.getByRole("dialog");
    this.chain = page.getByRole("region", { name: t("auditLog.chain.title") });
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** Opens the newest record that contains a text. */
  async open(text: string): Promise<void> {
    await this.row(text).first().getByRole("link").click();
  }

  filter(label: string): Locator {
    return this.page.getByRole("search").getByRole("button", { name: new RegExp(`^${label}`) });
  }

  async choose(label: string, option: string): Promise<void> {
    await this.filter(label).click();
    await this.page.getByRole("menuitemradio", { name: option, exact: true }).click();
  }

  async filterByRecord(id: string): Promise<void> {
    await this.filter(t("auditLog.recordId")).click();
    await this.page.getByRole("textbox", { name: t("auditLog.recordId") }).fill(id);
    await this.page.getByRole("button", { name: t("common.table.apply"), exact: true }).click();
  }

  /** The file that a button of the page saves. */
  async saved(button: Locator): Promise<{ name: string; path: string }> {
    const downloading = this.page.waitForEvent("download");
    await button.click();
    const download = await downloading;
    return { name: download.suggestedFilename(), path: await download.path() };
  }
}
