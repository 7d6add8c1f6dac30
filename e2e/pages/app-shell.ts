import { expect, type Locator, type Page } from "@playwright/test";
import { LOCALE_NAMES, type Locale } from "@/lib/kernel/i18n/locales";
import type { Messages } from "@/lib/kernel/i18n/translator";
import { t } from "../fixtures/messages";

/** The frame of every page after the sign-in, in Spanish. */
export class AppShell {
  readonly navigation: Locator;
  readonly main: Locator;

  constructor(readonly page: Page) {
    this.navigation = page.getByRole("navigation", { name: t("shell.navigation"), exact: true });
    this.main = page.getByRole("main");
  }

  heading(name: string): Locator {
    return this.main.getByRole("heading", { level: 1, name, exact: true });
  }

  navigationLink(page: keyof Messages["nav"]["pages"]): Locator {
    return this.navigation.getByRole("link", { name: t(`nav.pages.${page}`), exact: true });
  }

  /** The notification with this title; it is shown for five seconds. */
  notification(title: string): Locator {
    return this.page.getByRole("region", { name: t("common.notifications") }).getByText(title, { exact: true });
  }

  /** The command palette, opened by its shortcut as soon as the page announces it. */
  async openPalette(): Promise<Locator> {
    const search = this.page.getByRole("button", { name: t("shell.palette.open"), exact: true });
    await expect(search).toHaveAttribute("aria-keyshortcuts", "Control+K");
    await this.page.keyboard.press("Control+k");
    const palette = this.page.getByRole("dialog", { name: t("shell.palette.title") });
    await expect(palette).toBeVisible();
    return palette;
  }

  async signOut(name: string): Promise<void> {
    await this.page.getByRole("button", { name: t("shell.account.label", { name }), exact: true }).click();
    await this.page.getByRole("menuitem", { name: t("shell.account.signOut"), exact: true }).click();
  }

  async chooseLanguage(from: Locale, label: string, to: Locale): Promise<void> {
    await this.page.getByRole("button", { name: `${label}: ${LOCALE_NAMES[from]}`, exact: true }).click();
    await this.page.getByRole("menuitemradio", { name: LOCALE_NAMES[to], exact: true }).click();
  }
}
