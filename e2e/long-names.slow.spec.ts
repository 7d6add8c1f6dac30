import { randomBytes } from "node:crypto";
import { makeIcon } from "@slipway/installers/testing";
import { DAY_MS } from "../lib/kernel/time.ts";
import { anApk } from "../testing/installers";
import { mailTo } from "./fixtures/outbox";
import { settled, sidewaysOverflow } from "./fixtures/page-health";
import { expect, type Place, test } from "./fixtures/test";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AppShell } from "./pages/app-shell";
import { PermissionsPage } from "./pages/permissions-page";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

/** Eighty letters without a place to break the line, of which no two are the same. */
function longWord(): string {
  return `${"Wahrnehmungsverzögerung".repeat(3)}${randomBytes(5).toString("hex")}`;
}

test("names and identifiers of one long word make no page wider than its viewport", async ({ page, admin }) => {
  const [appName, environmentName, tokenName] = [longWord(), longWord(), longWord()];
  const identifier = `com.example.${"wahrnehmungsverzoegerung".repeat(3)}.x${randomBytes(5).toString("hex")}`;
  const { id: appId } = await admin.command("apps/create-app", { name: appName, identifier, status: "active" });
  const { id: environmentId } = await admin.command("apps/create-environment-app", {
    appId,
    name: environmentName,
    status: "active",
  });
  const installer = await anApk(identifier, { versionName: "12.104.3-beta.20261121", versionCode: 2_026_112_115 });
  const release = await admin.publish(installer, { environmentId, description: longWord() });
  await admin.command("config/create-api-token", {
    name: tokenName,
    appId,
    environmentId,
    identifiers: ["server", identifier],
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
  });

  const context = `app=${appId}&environment=${environmentId}`;
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const path of [
      `/admin-apps?search=${encodeURIComponent(appName)}`,
      `/registered-app?app=${appId}`,
      `/environment-app?${context}`,
      `/testing-deploys?${context}`,
      `/app-environments?app=${appId}`,
      `/releases?app=${appId}`,
      `/releases?id=${release.id}`,
      `/admin-app-config?tab=api-tokens&search=${encodeURIComponent(tokenName)}`,
    ]) {
      await page.goto(path);
      await settled(page);
      expect(await sidewaysOverflow(page), `${path} at ${size.width} px`).toBe(0);
    }
  }
});

test("names of the greatest length from right to left are whole in their pages, the palette, the log and mails, and fit", async ({
  page,
  admin,
}) => {
  test.slow();
  const word = randomBytes(5).toString("hex");
  // A hundred characters, the limit of a name. The A is for a place on the first page of every list.
  const name = `A ${word} ${"שם ארוך مدار طويل ".repeat(6)}`.slice(0, 99).trim().padEnd(100, "ם");
  const identifier = `com.example.x${word}`;
  const { id: appId } = await admin.command("apps/create-app", {
    name,
    identifier,
    description: `${name} ${"ת".repeat(1_000)}`,
  });
  const { id: environmentId } = await admin.command("apps/create-environment-app", { appId, name });
  const place: Place = { appId, appName: name, identifier, environmentId, environmentName: name };
  const release = await admin.publish(await anApk(identifier, { versionName: "2.4.0", versionCode: 118 }), {
    environmentId,
    description: `${name}\n\n${"م".repeat(2_000)}`,
  });
  const role = await admin.command("config/create-role", { name });
  await admin.command("permissions/create-role-permission", {
    roleId: role.id,
    scopes: ["release:read"],
    apps: [{ appId, environmentIds: [environmentId] }],
  });
  const email = `grace-${word}@slipway.test`;
  await admin.command("auth/register-user", {
    firstNames: name,
    lastNames: name,
    email,
    team: name,
    roleId: role.id,
    provider: "email",
  });
  const logoFileId = await admin.uploadImage(makeIcon({ size: 64 }));
  await admin.command("config/create-platform", { name, kind: "other", logoFileId });
  await admin.command("config/create-api-token", {
    name,
    appId,
    environmentId,
    identifiers: [identifier],
    validUntil: new Date(Date.now() + 90 * DAY_MS).toISOString(),
  });
  await admin.command("apps/create-development-variable", { environmentId, name, key: "K".repeat(100), value: name });

  const search = `search=${word}`;
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const path of [
      // Filtered: other tests publish newer releases.
      `/admin-dashboard?appId=${appId}`,
      "/home",
      `/admin-apps?${search}`,
      `/admin-platforms?${search}`,
      `${UsersPage.PATH}?${search}`,
      `${RolesPage.PATH}?${search}`,
      `${RolesPage.PATH}?role=${role.id}`,
      `${PermissionsPage.PATH}?${search}`,
      `${ApiTokensPage.PATH}&${search}`,
      `/registered-app?app=${appId}`,
      `/environment-app?app=${appId}&environment=${environmentId}`,
      ReleasesPage.path(place),
      VariablesPage.path("/dev-variables", place),
      `/app-environments?app=${appId}`,
      `/releases?id=${release.id}`,
      `/admin-logs?table=App&recordId=${appId}`,
    ]) {
      await page.goto(path);
      await settled(page);
      expect(await sidewaysOverflow(page), `${path} at ${size.width} px`).toBe(0);
      if (!path.startsWith("/admin-logs")) await expect(page.locator("body"), path).toContainText(name);
    }
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/admin-logs?table=App&recordId=${appId}`);
  await page.getByRole("main").getByRole("row").last().getByRole("link").first().click();
  await expect(page.getByRole("dialog").getByText(name, { exact: true }).first()).toBeVisible();
  await page.goto("/admin-dashboard");
  const palette = await new AppShell(page).openPalette();
  await palette.getByRole("combobox").fill(word);
  await expect(palette.getByRole("option").filter({ hasText: name }).first()).toBeVisible();
  expect(await sidewaysOverflow(page)).toBe(0);
  const mail = await mailTo(email);
  expect(JSON.stringify([...mail.headers.values(), mail])).toContain(word);
});
