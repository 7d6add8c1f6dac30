import type { Locator, Page } from "@playwright/test";
import { t } from "../fixtures/messages";
import type { Place } from "../fixtures/test";

/** The list of an environment's releases, in Spanish. */
export class ReleasesPage {
  readonly upload: Locator;
  readonly table: Locator;
  readonly rows: Locator;

  constructor(readonly page: Page) {
    const main = page.getByRole("main");
    // An empty list shows a different button.
    this.upload = main
      .getByRole("button", { name: t("upload.action"), exact: true })
      .or(main.getByRole("button", { name: t("releases.empty.action"), exact: true }))
      .first();
    this.table = page.getByRole("table", { name: t("releases.title"), exact: true });
    // Rows of the body, which have cells.
    this.rows = this.table.getByRole("row").filter({ has: page.getByRole("cell") });
  }

  /** The page on which releases are managed. */
  static path(place: Pick<Place, "appId" | "environmentId">, route = "/testing-deploys"): string {
    return `${route}?${new URLSearchParams({ app: place.appId, environment: place.environmentId })}`;
  }

  /** @param name as in `2.4.0 (118)` */
  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  /** The link of a row; the chips of its installers lead to the same pages. */
  link(name: string): Locator {
    return this.row(name).locator("[data-row-link]");
  }

  share(name: string): Locator {
    return this.row(name).getByRole("button", { name: t("releases.share.action") });
  }

  async openMenu(name: string): Promise<void> {
    await this.page.getByRole("button", { name: t("common.moreActionsFor", { name }), exact: true }).click();
  }

  menuEntry(entry: string): Locator {
    return this.page.getByRole("menuitem", { name: entry, exact: true });
  }

  async chooseFromMenu(name: string, entry: string): Promise<void> {
    await this.openMenu(name);
    await this.menuEntry(entry).click();
  }

  async filterByPlatform(platform: string): Promise<void> {
    const label = t("releases.filters.platform");
    await this.page.getByRole("search").getByRole("button", { name: label }).click();
    await this.page.getByRole("menuitemradio", { name: platform, exact: true }).click();
  }

  /** @param search the beginning of the version, to type into the filter's search field */
  async filterByVersion(version: string, search: string): Promise<void> {
    const label = t("releases.filters.version");
    await this.page.getByRole("search").getByRole("button", { name: label }).click();
    const popover = this.page.getByRole("dialog", { name: label });
    await popover.getByRole("combobox").fill(search);
    await popover.getByRole("option", { name: version, exact: true }).click();
  }

  /** @param from a day, `YYYY-MM-DD`; an empty value leaves the end open, as does an empty `to` */
  async filterByDate(from: string, to: string): Promise<void> {
    const label = t("releases.filters.date");
    await this.page.getByRole("search").getByRole("button", { name: label }).click();
    const popover = this.page.getByRole("dialog", { name: label });
    await popover.getByLabel(t("common.table.from"), { exact: true }).fill(from);
    await popover.getByLabel(t("common.table.to"), { exact: true }).fill(to);
    await popover.getByRole("button", { name: t("common.table.apply"), exact: true }).click();
  }
}
