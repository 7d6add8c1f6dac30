import { randomBytes } from "node:crypto";
import { anApk } from "./fixtures/installers";
import { settled, sidewaysOverflow } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";

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
