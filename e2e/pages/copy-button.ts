import type { Locator } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The button that copies the labelled value. Browsers differ in the white space of its accessible name. */
export function copyButton(within: Locator, label: string): Locator {
  return within.getByRole("button", { name: new RegExp(`^${t("common.copy.action")}\\s*: ${label}$`) });
}
