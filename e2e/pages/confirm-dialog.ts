import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The question before something that cannot be undone, in Spanish. */
export class ConfirmDialog {
  readonly dialog: Locator;
  /** Takes the name of what is deleted. */
  readonly name: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("alertdialog");
    this.name = this.dialog.getByRole("textbox");
  }

  button(label: string): Locator {
    return this.dialog.getByRole("button", { name: label, exact: true });
  }

  get cancel(): Locator {
    return this.button(t("common.cancel"));
  }
}
