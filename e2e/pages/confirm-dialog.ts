import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The confirmation of an action that cannot be undone, in Spanish. */
export class ConfirmDialog {
  readonly dialog: Locator;
  /** The field for the name of what is deleted. */
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
