import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { makeIcon } from "@slipway/installers/testing";
import type { OperationOutput } from "@/lib/client/operation-types";
import { DAY_MS } from "../lib/kernel/time.ts";
import { ADMIN } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { readCsv } from "./fixtures/csv";
import { t } from "./fixtures/messages";
import { axeViolations, settled } from "./fixtures/page-health";
import { SLOW, slowUnless } from "./fixtures/slow";
import { test as base, expect, type Place, type WorkerFixtures } from "./fixtures/test";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AuditLogPage } from "./pages/audit-log-page";
import { PermissionsPage } from "./pages/permissions-page";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { UsersPage } from "./pages/users-page";

/** One record of each kind, which a search for the word finds. */
interface Sample {
  word: string;
  place: Place;
  /** A name that a spreadsheet would run, with quotes, Hebrew and Arabic. */
  name: string;
  release: OperationOutput<"apps/create-testing-deploy">;
  email: string;
}

/** Made for the first test of a worker that needs it. As a fixture of workers, it would start another console. */
let made: Promise<Sample> | undefined;

const test = base.extend<{ sample: Sample }>({
  sample: async ({ admin, newPlace }, use) => {
    made ??= makeSample({ admin, newPlace });
    await use(await made);
  },
});

async function makeSample({ admin, newPlace }: Pick<WorkerFixtures, "admin" | "newPlace">): Promise<Sample> {
  // What the filters leave out.
  const other = await newPlace();
  await admin.publish(anIpa(other.identifier), { environmentId: other.environmentId, description: "Other" });
  const word = randomBytes(5).toString("hex");
  const name = `=SUM(1)"${word}", אורביט; مدار`;
  const identifier = `com.example.x${word}`;
  const app = await admin.command("apps/create-app", { name, identifier, description: `-1 ${word}` });
  const environment = await admin.command("apps/create-environment-app", { appId: app.id, name });
  const place = {
    appId: app.id,
    appName: name,
    identifier,
    environmentId: environment.id,
    environmentName: name,
  };
  await admin.publish(anIpa(identifier, { version: "1.0.0", build: "1" }), {
    environmentId: environment.id,
    description: "An earlier one",
  });
  const release = await admin.publish(anIpa(identifier, { version: "2.4.0", build: "118" }), {
    environmentId: environment.id,
    description: `@${word} "first" line\n=2+2`,
  });
  const role = await admin.command("config/create-role", { name });
  await admin.command("permissions/create-role-permission", {
    roleId: role.id,
    scopes: ["release:read"],
    apps: [{ appId: app.id, environmentIds: [environment.id] }],
  });
  const email = `grace-${word}@slipway.test`;
  await admin.command("auth/register-user", {
    firstNames: name,
    lastNames: `Hopper ${word}`,
    email,
    team: `+${word}`,
    roleId: role.id,
    provider: "email",
  });
  const logoFileId = await admin.uploadImage(makeIcon({ size: 64 }));
  await admin.command("config/create-platform", { name, kind: "other", logoFileId, status: "inactive" });
  await admin.command("config/create-api-token", {
    name,
    appId: app.id,
    environmentId: environment.id,
    identifiers: [identifier],
    validUntil: new Date(Date.now() + 90 * DAY_MS).toISOString(),
  });
  return { word, place, name, release, email };
}

/** What a spreadsheet takes for text. */
const asText = (name: string) => `'${name}`;

interface Table {
  what: string;
  label: string;
  /** Its page, filtered to the sample. */
  path: (sample: Sample) => string;
  /** The headers, in order. */
  columns: readonly string[];
  /** What the sample's row shows. */
  row: (sample: Sample) => readonly string[];
  csv: {
    fileName: RegExp;
    columns: readonly string[];
    /** Cells of the one row. */
    cells: (sample: Sample) => Record<string, string>;
  };
}

const search = ({ word }: Sample) => `search=${word}`;

const TABLES: readonly Table[] = [
  {
    what: "users",
    label: t("users.title"),
    path: (sample) => `${UsersPage.PATH}?${search(sample)}`,
    columns: [
      t("profile.name"),
      t("profile.role"),
      t("profile.team"),
      t("users.provider"),
      t("users.lastSignIn"),
      t("common.status.label"),
    ],
    row: ({ name, word, email }) => [
      name,
      `Hopper ${word}`,
      email,
      `+${word}`,
      t("users.providers.email"),
      t("users.invited"),
    ],
    csv: {
      fileName: /^users-\d{4}-\d\d-\d\d\.csv$/,
      columns: [
        "id",
        "firstNames",
        "lastNames",
        "email",
        "team",
        "role",
        "provider",
        "status",
        "twoFactorEnabled",
        "createdAt",
        "lastSignInAt",
      ],
      cells: ({ name, word, email }) => ({
        firstNames: asText(name),
        lastNames: `Hopper ${word}`,
        email,
        team: asText(`+${word}`),
        role: asText(name),
        provider: "email",
        status: "active",
      }),
    },
  },
  {
    what: "platforms",
    label: t("platforms.title"),
    path: (sample) => `/admin-platforms?${search(sample)}`,
    columns: [t("platforms.name"), t("platforms.kind"), t("common.status.label"), t("platforms.createdAt")],
    row: ({ name }) => [name, t("common.status.inactive", { gender: "feminine" })],
    csv: {
      fileName: /^platforms-/,
      columns: ["id", "name", "kind", "status", "createdAt"],
      cells: ({ name }) => ({ name: asText(name), kind: "other", status: "inactive" }),
    },
  },
  {
    what: "applications",
    label: t("apps.title"),
    path: (sample) => `/admin-apps?${search(sample)}`,
    columns: [
      t("apps.name"),
      t("apps.identifier"),
      t("apps.environments"),
      t("apps.releases"),
      t("apps.lastRelease"),
      t("common.status.label"),
    ],
    row: ({ name, word, place }) => [
      name,
      `-1 ${word}`,
      place.identifier,
      t("common.status.active", { gender: "feminine" }),
    ],
    csv: {
      fileName: /^applications-/,
      columns: [
        "id",
        "name",
        "identifier",
        "description",
        "status",
        "environmentCount",
        "releaseCount",
        "lastReleaseAt",
        "createdAt",
      ],
      cells: ({ name, word, place }) => ({
        id: place.appId,
        name: asText(name),
        identifier: place.identifier,
        description: asText(`-1 ${word}`),
        environmentCount: "1",
        releaseCount: "2",
      }),
    },
  },
  {
    what: "roles",
    label: t("roles.title"),
    path: (sample) => `${RolesPage.PATH}?${search(sample)}`,
    columns: [t("roles.name"), t("roles.users"), t("roles.access"), t("roles.createdAt")],
    row: ({ name }) => [name],
    csv: {
      fileName: /^roles-/,
      columns: ["id", "name", "superAdmin", "userCount", "permissionCount", "createdAt"],
      cells: ({ name }) => ({ name: asText(name), superAdmin: "false", userCount: "1", permissionCount: "1" }),
    },
  },
  {
    what: "permissions",
    label: t("permissions.title"),
    path: (sample) => `${PermissionsPage.PATH}?${search(sample)}`,
    columns: [t("permissions.role"), t("permissions.scopes"), t("permissions.apps"), t("permissions.environments")],
    row: ({ name }) => [name, t("scopes.release:read")],
    csv: {
      fileName: /^permissions-/,
      columns: ["id", "role", "scopes", "apps", "environments", "groups", "createdAt"],
      cells: ({ name }) => ({
        role: asText(name),
        scopes: "release:read",
        apps: asText(name),
        environments: asText(`${name}/${name}`),
      }),
    },
  },
  {
    what: "API tokens",
    label: t("apiTokens.title"),
    path: (sample) => `${ApiTokensPage.PATH}&${search(sample)}`,
    columns: [
      t("apiTokens.name"),
      t("apiTokens.app"),
      t("apiTokens.environment"),
      t("apiTokens.identifiers"),
      t("apiTokens.scopes"),
      t("apiTokens.validUntil"),
      t("apiTokens.lastUsed"),
    ],
    row: ({ name, place }) => [name, place.identifier],
    csv: {
      fileName: /^api-tokens-/,
      columns: ["id", "name", "app", "environment", "identifiers", "scopes", "createdAt", "validUntil", "lastUsedAt"],
      cells: ({ name, place }) => ({
        name: asText(name),
        app: asText(name),
        environment: asText(name),
        identifiers: place.identifier,
        lastUsedAt: "",
      }),
    },
  },
  {
    what: "releases",
    label: t("releases.title"),
    path: ({ place }) => `${ReleasesPage.path(place)}&version=2.4.0`,
    columns: [
      t("releases.table.version"),
      t("releases.table.installers"),
      t("releases.table.whatChanged"),
      t("releases.table.size"),
      t("releases.table.by"),
      t("releases.table.date"),
      t("releases.table.action"),
    ],
    row: ({ word }) => ["2.4.0 (118)", "iOS", `@${word} "first" line`, "Admin Slipway"],
    csv: {
      fileName: /^releases-/,
      columns: [
        "id",
        "app",
        "environment",
        "platform",
        "version",
        "buildNumber",
        "identifier",
        "description",
        "mandatory",
        "fileName",
        "size",
        "sha256",
        "minOs",
        "downloads",
        "createdBy",
        "deployDate",
        "installUrl",
      ],
      cells: ({ name, word, release }) => ({
        id: release.id,
        app: asText(name),
        environment: asText(name),
        platform: "iOS",
        version: "2.4.0",
        description: asText(`@${word} "first" line\n=2+2`),
        size: String(release.size),
        sha256: release.sha256,
        createdBy: "Admin Slipway",
      }),
    },
  },
  {
    what: "records of the audit log",
    label: t("auditLog.title"),
    path: ({ place }) => `${AuditLogPage.PATH}?table=App&recordId=${place.appId}`,
    columns: [
      t("auditLog.what"),
      t("auditLog.id"),
      t("auditLog.userId"),
      t("auditLog.table"),
      t("auditLog.recordId"),
      t("auditLog.action"),
      t("auditLog.eventDate"),
    ],
    row: ({ name, place }) => [
      t("auditLog.sentences.App.create", { actor: "Admin Slipway", record: `\u2068${name}\u2069` }),
      t("auditLog.tables.App"),
      place.appId,
      t("auditLog.actions.create"),
    ],
    csv: {
      fileName: /^audit-log-/,
      columns: ["id", "userId", "userEmail", "table", "recordId", "action", "eventDate", "changes"],
      cells: ({ place }) => ({ userEmail: ADMIN.email, table: "App", recordId: place.appId, action: "create" }),
    },
  },
];

const tableOf = (page: Page, label: string) => page.getByRole("table", { name: label, exact: true });

/** The texts of the headers that are shown, without that of the menus. */
async function shownColumns(table: Locator): Promise<string[]> {
  const headers = table.getByRole("columnheader").filter({ visible: true });
  return (await headers.allInnerTexts())
    .map((text) => text.trim())
    .filter((text) => text !== t("common.table.actions"));
}

test.use({ viewport: { width: 1440, height: 900 } });

/** The tables that `npm test` saves: people, files, and records that are searched. */
const QUICK = ["users", "releases", "records of the audit log"];

for (const { what, label, path, columns, row, csv } of TABLES) {
  test(
    `the table of ${what} has its columns, and its CSV contains exactly the filtered rows as text`,
    slowUnless(QUICK.includes(what)),
    async ({ page, sample }) => {
      await page.goto(path(sample));
      await settled(page);
      const table = tableOf(page, label);
      // The first row is the header.
      await expect(table.getByRole("row")).toHaveCount(2);
      expect(await shownColumns(table)).toEqual(columns);
      for (const text of row(sample)) await expect(table.getByRole("row").last()).toContainText(text);

      const saved = new AuditLogPage(page).saved(
        page.getByRole("button", { name: t("common.table.export.action"), exact: true }),
      );
      const { name, path: file } = await saved;
      expect(name).toMatch(csv.fileName);
      const bytes = await readFile(file);
      // The byte order mark of UTF-8, which Excel needs.
      expect(bytes.subarray(0, 3).toString("hex")).toBe("efbbbf");
      const { columns: names, rows } = readCsv(bytes.toString("utf8", 3));
      expect(names).toEqual(csv.columns);
      expect(rows).toEqual([expect.objectContaining(csv.cells(sample))]);
    },
  );
}

test(
  "the chosen columns and density are kept over a reload, for the table of their page alone",
  SLOW,
  async ({ page, sample }) => {
    const view = page.getByRole("button", { name: t("common.table.view.label"), exact: true });
    const panel = page.getByRole("dialog", { name: t("common.table.view.label"), exact: true });
    const users = tableOf(page, t("users.title"));
    const heightOf = async (table: Locator) => (await table.getByRole("row").last().boundingBox())?.height ?? 0;
    const team = t("profile.team");
    const status = t("common.status.label");

    await page.goto(`${UsersPage.PATH}?${search(sample)}`);
    await settled(page);
    const before = await shownColumns(users);
    const height = await heightOf(users);
    await view.click();
    expect(await axeViolations(page, { overlay: true })).toEqual([]);
    await panel.getByRole("checkbox", { name: team, exact: true }).click();
    await panel.getByRole("checkbox", { name: t("common.table.view.dense"), exact: true }).click();
    const chosen = before.filter((name) => name !== team);
    await expect.poll(() => shownColumns(users)).toEqual(chosen);
    expect(await heightOf(users)).toBeLessThan(height);
    await page.keyboard.press("Escape");
    await expect(view).toBeFocused();

    await page.reload();
    await expect.poll(() => shownColumns(users)).toEqual(chosen);
    expect(await heightOf(users)).toBeLessThan(height);

    await page.goto(`/admin-apps?${search(sample)}`);
    const apps = tableOf(page, t("apps.title"));
    expect(await shownColumns(apps)).toContain(status);
    await view.click();
    await panel.getByRole("checkbox", { name: status, exact: true }).click();
    await expect.poll(() => shownColumns(apps)).not.toContain(status);

    await page.goto(`${UsersPage.PATH}?${search(sample)}`);
    await expect.poll(() => shownColumns(users)).toEqual(chosen);
    await view.click();
    await panel.getByRole("button", { name: t("common.table.view.reset"), exact: true }).click();
    await expect.poll(() => shownColumns(users)).toEqual(before);
    expect(await heightOf(users)).toBe(height);
  },
);
