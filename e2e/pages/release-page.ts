import type { Locator, Page } from "@playwright/test";
import type { ReasonKey } from "@/lib/features/releases/rules";
import { t } from "../fixtures/messages";

/** The page of a release, in Spanish: on phones, the page to install it from. */
export class ReleasePage {
  readonly install: Locator;
  readonly download: Locator;
  readonly qr: Locator;

  constructor(readonly page: Page) {
    const main = page.getByRole("main");
    this.install = main.getByRole("button", { name: t("install.action"), exact: true });
    this.download = main.getByRole("button", { name: t("install.download"), exact: true });
    this.qr = main.getByRole("img", { name: /QR/ });
  }

  static path(releaseId: string): string {
    return `/releases?${new URLSearchParams({ id: releaseId })}`;
  }

  /** @param name as in `2.4.0 (118)` */
  heading(name: string): Locator {
    return this.page.getByRole("heading", { level: 1 }).filter({ hasText: name });
  }

  refusal(reason: ReasonKey): Locator {
    // The facts of a release may have the same words.
    const main = this.page.getByRole("main");
    return main.getByRole("paragraph").and(main.getByText(t(`install.reasons.${reason}.title`), { exact: true }));
  }
}
