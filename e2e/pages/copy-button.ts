import type { Locator } from "@playwright/test";
import { t } from "../fixtures/messages";

/** The button that copies what a label names; between the two, browsers put a blank into its name or none. */
export function copyButton(within: Locator, label: string): Locator {
  return within.getByRole("button", { name: new RegExp(`^${t("common.copy.action")}\\s*: ${label}$`) });
}
