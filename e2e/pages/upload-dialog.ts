import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The dialog that publishes a release, in Spanish. */
export class UploadDialog {
  readonly dialog: Locator;
  readonly file: Locator;
  readonly version: Locator;
  readonly buildNumber: Locator;
  readonly description: Locator;
  readonly refusal: Locator;
  readonly submit: Locator;
  readonly cancelUpload: Locator;
  readonly progress: Locator;
  readonly unfinished: Locator;
  /** The uploads that no dialog shows. */
  readonly panel: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog").first();
    this.file = this.dialog.locator("input[type=file]");
    this.version = this.dialog.getByLabel(t("releases.fields.version"), { exact: true });
    this.buildNumber = this.dialog.getByLabel(t("releases.fields.buildNumber"), { exact: true });
    this.description = this.dialog.getByLabel(t("releases.fields.description"), { exact: true });
    this.refusal = this.dialog.getByRole("alert");
    this.submit = this.dialog.getByRole("button", { name: t("upload.submit"), exact: true });
    this.cancelUpload = this.dialog.getByRole("button", { name: t("upload.cancel"), exact: true });
    this.progress = this.dialog.getByRole("progressbar");
    this.panel = page.getByRole("region", { name: t("upload.panel.title"), exact: true });
    this.unfinished = this.dialog.getByText(t("upload.unfinished.description"), { exact: true });
  }

  /** The status text of the upload. */
  phase(phase: "offline" | "waiting" | "uploading" | "paused" | "cancelled"): Locator {
    return this.dialog.getByText(t(`upload.phase.${phase}`), { exact: true });
  }

  /** @param name as in `2.4.0 (118)` */
  published(name: string): Locator {
    return this.dialog.getByRole("heading", { name: t("upload.published", { name }) });
  }

  async publish(description: string): Promise<void> {
    await this.description.fill(description);
    await this.submit.click();
  }
}
