import { randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { certificateSample, SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { baseUrl } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { turnOnTwoFactor } from "../testing/two-factor";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { slowUnless } from "./fixtures/slow";
import { hiddenTexts, rowHeights } from "./fixtures/table-cells";
import { test as base, expect, type Place, type WorkerFixtures } from "./fixtures/test";
import { inOtherLanguages } from "./fixtures/translated-page";
import { AuditLogPage } from "./pages/audit-log-page";
import { CertificatesPage } from "./pages/certificates-page";
import { PermissionsPage } from "./pages/permissions-page";
import { ReleasesPage } from "./pages/releases-page";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

/** The widths at which the navigation leaves a table the least room. */
const WIDTHS = [1000, 1024, 1100, 1150];
/** Two lines of text, the padding and the border. */
const ROW_PX = 64;
/** A sentence of at most three lines, and a line with the place and the time. */
const AUDIT_ROW_PX = 104;
const PEOPLE = 25;

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

interface Crowded {
  place: Place;
  cookies: Cookies;
}

/** Made for the first test of a worker that needs it. As a fixture of workers, it would start another console. */
let made: Promise<Crowded> | undefined;

/** A console in which names are as long as people write them. */
const test = base.extend<{ crowded: Crowded }>({
  crowded: async ({ admin, newPlace, database }, use) => {
    made ??= makeCrowded({ admin, newPlace, database });
    await use(await made);
  },
});

async function makeCrowded({
  admin,
  newPlace,
  database,
}: Pick<WorkerFixtures, "admin" | "newPlace" | "database">): Promise<Crowded> {
  const place = await newPlace();
  const { appId, environmentId, identifier } = place;
  const role = await admin.command("config/create-role", { name: "Testers · Atlas Field Service · Staging" });
  await admin.command("permissions/create-role-permission", {
    roleId: role.id,
    scopes: ["release:download", "environment:read", "dev-variable:read"],
    apps: [{ appId, environmentIds: [environmentId] }],
  });
  for (let number = 1; number <= PEOPLE; number++) {
    const user = await admin.command("auth/register-user", {
      firstNames: "Jean-Sébastien",
      lastNames: `Hopper-Lovelace ${number}`,
      email: `jean.sebastien.hopper.lovelace.${number}@quality.northwind.example`,
      team: "Quality assurance",
      roleId: role.id,
      provider: number % 2 ? "google" : "email",
    });
    await admin.command("devices/create-device", {
      name: `iPhone of Jean-Sébastien Hopper-Lovelace, quality assurance ${number}`,
      udid: randomUUID().replaceAll("-", "").padEnd(40, "0"),
      userId: user.id,
      model: "iPad13,16",
      osVersion: "18.5.1",
    });
    await admin.command("apps/create-development-variable", {
      environmentId,
      name: `Timeout of the feature service, step ${number}`,
      key: `FEATURE_SERVICE_TIMEOUT_${number}`,
      value: `https://api.example.com/v2/${"segment/".repeat(number)}`,
    });
  }
  const ipa = anIpa(identifier, { version: "2026.11.25-beta", build: "20261125.1" });
  await admin.publish(ipa, {
    environmentId,
    description: "Offline maps: pick a region under Trips, then Download.",
  });
  const administrator = await database.addPerson([]);
  await database.promote(administrator.id);
  const { client } = await turnOnTwoFactor(baseUrl(), administrator);
  for (const key of ["APNS_CERTIFICATE_OF_THE_FIELD_SERVICE", "DISTRIBUTION_CERTIFICATE"]) {
    await client.command("apps/create-secure-certificate", {
      environmentId: environmentId,
      name: `The certificate ${key}`,
      key,
      fileName: "distribution-of-the-field-service.p12",
      value: Buffer.from(certificateSample("modern.p12")).toString("base64"),
      password: SAMPLE_PASSWORD,
    });
  }
  const { cookies } = await client.request.storageState();
  await client.dispose();
  return { place, cookies };
}

test.use({ signedIn: false });

const LISTS: { what: string; path: (place: Place) => string; rowPx: number }[] = [
  { what: "people", path: () => UsersPage.PATH, rowPx: ROW_PX },
  { what: "permissions", path: () => PermissionsPage.PATH, rowPx: ROW_PX },
  { what: "variables", path: (place) => VariablesPage.path("/dev-variables", place), rowPx: ROW_PX },
  { what: "certificates", path: (place) => CertificatesPage.path("/secure-certificates", place), rowPx: ROW_PX },
  { what: "devices", path: () => "/admin-devices", rowPx: ROW_PX },
  // A sentence may take a line more than the name of a person.
  { what: "audit records", path: () => AuditLogPage.PATH, rowPx: AUDIT_ROW_PX },
  // Cards with a button that installs.
  { what: "releases", path: (place) => ReleasesPage.path(place), rowPx: Number.POSITIVE_INFINITY },
];

for (const { what, path, rowPx } of LISTS) {
  test(
    `the list of ${what} has two lines per row on phones, and covers and cuts no text from 1000 to 1150 px, in all languages`,
    slowUnless(what === "people"),
    async ({ page, crowded }) => {
      await page.context().addCookies(crowded.cookies);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(path(crowded.place));
      await settled(page);
      const heights = await rowHeights(page);
      expect(heights.length).toBeGreaterThan(0);
      expect(Math.max(...heights)).toBeLessThanOrEqual(rowPx);

      const measure = async () => {
        const problems: string[] = [];
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          problems.push(...(await hiddenTexts(page)).map((problem) => `${width} px: ${problem}`));
        }
        return problems;
      };
      expect(await measure()).toEqual([]);
      expect(await inOtherLanguages(page, measure)).toEqual([]);
    },
  );
}

test("a row opens on phones and shows the rest", async ({ page, crowded }) => {
  await page.context().addCookies(crowded.cookies);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(VariablesPage.path("/dev-variables", crowded.place));
  await settled(page);
  const row = page.getByRole("row").nth(1);
  const name = row.getByText("Timeout of the feature service, step", { exact: false });
  await expect(name).toBeHidden();
  const toggle = row.getByRole("button", { name: t("common.table.details"), expanded: false });
  await toggle.click();
  await expect(name).toBeVisible();
  await row.getByRole("button", { name: t("common.table.details"), expanded: true }).click();
  await expect(name).toBeHidden();
});
