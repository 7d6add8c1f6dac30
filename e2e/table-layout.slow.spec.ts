import { makeIcon } from "@slipway/installers/testing";
import { DAY_MS } from "../lib/kernel/time.ts";
import type { ConsoleClient } from "../testing/console-client";
import { anIpa } from "../testing/installers";
import { test as base, expectReadable, LONGEST_NAME, ROW_PX } from "./fixtures/crowded-tables";
import type { Place } from "./fixtures/test";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AuditLogPage } from "./pages/audit-log-page";
import { CertificatesPage } from "./pages/certificates-page";
import { PermissionsPage } from "./pages/permissions-page";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { VariablesPage } from "./pages/variables-page";

/** What the tables show beside people, variables, certificates, devices and releases, with long names. */
interface Filled {
  groupId: string;
  releaseId: string;
}

/** Made for the first test of a worker that needs it. As a fixture of workers, it would start another console. */
let made: Promise<Filled> | undefined;

const test = base.extend<{ filled: Filled }>({
  filled: async ({ admin, crowded }, use) => {
    made ??= fill(admin, crowded.place);
    await use(await made);
  },
});

async function fill(admin: ConsoleClient, { appId, environmentId, identifier }: Place): Promise<Filled> {
  const name = "Testers of the field service, northern region and the islands";
  const emails = Array.from(
    { length: 12 },
    (_, index) => `jean.sebastien.of.the.northern.region.${index}@quality.northwind.example`,
  );
  const { id: groupId } = await admin.command("testers/create-tester-group", { appId, name, emails });
  await admin.command("testers/create-tester-group", { appId, name: LONGEST_NAME, emails: emails.slice(0, 1) });
  const logoFileId = await admin.uploadImage(makeIcon({ size: 64 }));
  await admin.command("config/create-platform", { name: LONGEST_NAME, kind: "other", logoFileId });
  const expires = new Date(Date.now() + 9 * DAY_MS);
  await admin.command("config/create-api-token", {
    name: LONGEST_NAME,
    appId,
    environmentId,
    identifiers: [identifier],
    validUntil: expires.toISOString(),
  });
  const publish = { environmentId, description: "Offline maps: pick a region under Trips, then Download." };
  const builds: string[] = [];
  for (const build of ["20261124.1", "20261125.2", "20261126.3", "20261126.4"]) {
    const ipa = anIpa(identifier, { version: "2026.11.25-beta", build, profile: { type: "ad-hoc", expires } });
    builds.push((await admin.publish(ipa, publish)).id);
  }
  const [first, , last, deleted] = builds as [string, string, string, string];
  await admin.command("testers/distribute-release", { releaseId: last, groupIds: [groupId] });
  await admin.command("feedback/create-feedback", {
    releaseId: last,
    text: "The map stays empty after I pick a region, and the button that downloads it stays grey.",
    rating: 2,
  });
  await admin.command("apps/start-bisect", { environmentId, goodId: first, badId: last });
  await admin.command("apps/delete-testing-deploy", { id: deleted });
  await admin.command("share-links/create-share-link", {
    environmentId,
    name: "For the client in the northern region, until the review",
    maxInstalls: 3,
  });
  await admin.command("webhooks/create-webhook", {
    name: "Messages in the channel of the field service",
    url: "https://hooks.northwind.example/services/quality/assurance/of/the/field/service",
    events: ["release.published", "release.deleted"],
  });
  await admin.command("config/create-api-token", {
    name: "CI of the field service, northern region",
    appId,
    environmentId,
    identifiers: ["server", identifier],
    validUntil: expires.toISOString(),
  });
  await admin.command("apps/create-environment-app", { appId, name: "Acceptance by the northern region" });
  return { groupId, releaseId: last };
}

test.use({ signedIn: false });

/** A sentence of at most three lines, and a line with the place and the time. */
const AUDIT_ROW_PX = 104;
/** Three lines of text, the padding and the border. */
const THREE_LINES_PX = 88;

const app = ({ appId }: Place) => `app=${appId}`;
const environment = (place: Place) => `${app(place)}&environment=${place.environmentId}`;

const LISTS: { what: string; path: (place: Place, filled: Filled) => string; rowPx: number }[] = [
  { what: "permissions", path: () => PermissionsPage.PATH, rowPx: ROW_PX },
  { what: "variables", path: (place) => VariablesPage.path("/dev-variables", place), rowPx: ROW_PX },
  { what: "certificates", path: (place) => CertificatesPage.path("/secure-certificates", place), rowPx: ROW_PX },
  { what: "devices", path: () => "/admin-devices", rowPx: ROW_PX },
  // A sentence may take a line more than the name of a person.
  { what: "audit records", path: () => AuditLogPage.PATH, rowPx: AUDIT_ROW_PX },
  // Cards with a button that installs.
  { what: "releases", path: (place) => ReleasesPage.path(place), rowPx: Number.POSITIVE_INFINITY },
  { what: "applications", path: () => "/admin-apps", rowPx: THREE_LINES_PX },
  { what: "platforms", path: () => "/admin-platforms", rowPx: THREE_LINES_PX },
  { what: "roles", path: () => RolesPage.PATH, rowPx: THREE_LINES_PX },
  { what: "API tokens", path: () => ApiTokensPage.PATH, rowPx: THREE_LINES_PX },
  { what: "webhooks", path: () => "/admin-webhooks", rowPx: THREE_LINES_PX },
  { what: "what expires", path: () => "/expiry", rowPx: THREE_LINES_PX },
  { what: "groups of testers", path: (place) => `/testers?${app(place)}`, rowPx: THREE_LINES_PX },
  {
    what: "members of a group of testers",
    path: (place, { groupId }) => `/testers?${app(place)}&group=${groupId}`,
    rowPx: THREE_LINES_PX,
  },
  { what: "feedback", path: (place) => `/feedback?${app(place)}`, rowPx: Number.POSITIVE_INFINITY },
  { what: "share links", path: (place) => `/share-links?${app(place)}`, rowPx: THREE_LINES_PX },
  { what: "deleted releases", path: (place) => `/bin?${app(place)}`, rowPx: THREE_LINES_PX },
  {
    what: "environments of an application",
    path: (place) => `/registered-app?${app(place)}`,
    rowPx: Number.POSITIVE_INFINITY,
  },
  {
    what: "environments that one manages",
    path: (place) => `/manage-app-environments?${app(place)}`,
    rowPx: Number.POSITIVE_INFINITY,
  },
  {
    what: "who can see an environment",
    path: (place) => `/environment-app?${environment(place)}&tab=access`,
    rowPx: THREE_LINES_PX,
  },
  {
    what: "releases that one manages",
    path: (place) => `/manage-testing-deploys?${environment(place)}`,
    rowPx: Number.POSITIVE_INFINITY,
  },
  {
    what: "variables by environment",
    path: (place) => `${VariablesPage.path("/dev-variables", place)}&tab=environments`,
    rowPx: Number.POSITIVE_INFINITY,
  },
  { what: "storage", path: () => "/admin-storage", rowPx: Number.POSITIVE_INFINITY },
  { what: "jobs", path: () => "/admin-health", rowPx: Number.POSITIVE_INFINITY },
  {
    what: "what a release changed",
    path: (_, { releaseId }) => `/releases?id=${releaseId}`,
    rowPx: Number.POSITIVE_INFINITY,
  },
];

for (const { what, path, rowPx } of LISTS) {
  test(`the list of ${what} has few lines per row on phones, and covers and cuts no text there and from 1000 to 1150 px, in all languages`, async ({
    page,
    crowded,
    filled,
  }) => {
    await page.context().addCookies(crowded.cookies);
    await expectReadable(page, path(crowded.place, filled), rowPx);
  });
}
