import { readFile } from "node:fs/promises";
import { ADMIN } from "../testing/environment.ts";
import { hold } from "./fixtures/hold";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { AuditLogPage } from "./pages/audit-log-page";

test("an administrator finds a change in the audit log, sees its differences and exports what is filtered", async ({
  page,
  place,
  admin,
}) => {
  const log = new AuditLogPage(page);
  const { appId, appName, identifier } = place;
  const change = t("auditLog.actions.update");
  await admin.command("apps/update-app", { id: appId, name: `${appName} 2`, identifier, status: "active" });

  await test.step("the sidebar leads to the log, which is narrowed by record and action", async () => {
    await page.goto("/admin-dashboard");
    await new AppShell(page).navigationLink("logs").click();
    await log.filterByRecord(appId);
    await expect(log.row(change)).toHaveCount(1);
    await expect(log.row(t("auditLog.actions.create"))).toHaveCount(1);
    await log.choose(t("auditLog.action"), change);
    await expect(log.row(t("auditLog.actions.create"))).toHaveCount(0);
    await expect(log.row(change)).toContainText("Admin Slipway");
  });

  await test.step("the record shows what changed, by whom, and leads to both", async () => {
    await log.open(change);
    await expect(log.record.getByText(`${appName} 2`, { exact: true }).first()).toBeVisible();
    await expect(log.record.getByText(appName, { exact: true })).toBeVisible();
    await expect(log.record.getByRole("link", { name: ADMIN.email })).toHaveAttribute(
      "href",
      /^\/admin-users\?search=/,
    );
    await expect(log.record.getByRole("link", { name: `${appName} 2`, exact: true })).toHaveAttribute(
      "href",
      `/registered-app?app=${appId}`,
    );
    await page.keyboard.press("Escape");
    await expect(log.record).toHaveCount(0);
    await expect(page).toHaveURL(
      (url) => url.searchParams.get("recordId") === appId && !url.searchParams.has("record"),
    );
  });

  await test.step("a search by an earlier name finds who changed the application", async () => {
    await page.goto(`${AuditLogPage.PATH}?search=${encodeURIComponent(appName)}`);
    await expect(
      log.row(t("auditLog.sentences.App.update", { actor: "Admin Slipway", record: `${appName} 2` })),
    ).toHaveCount(1);
    await page.goto(`${AuditLogPage.PATH}?recordId=${appId}&action=update`);
  });

  await test.step("the CSV contains exactly the filtered records", async () => {
    const { name, path } = await log.saved(page.getByRole("button", { name: t("common.table.export.action") }));
    expect(name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(path, "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(appId);
  });
});

test("an administrator has the log verified, and saves a signed checkpoint and the log", async ({ page }) => {
  const log = new AuditLogPage(page);
  await page.goto(AuditLogPage.PATH);
  await log.chain.getByRole("button", { name: t("auditLog.chain.verify"), exact: true }).click();
  await expect(log.chain.getByText(new RegExp(t("auditLog.chain.verified").split("{")[0] as string))).toBeVisible();
  await expect(log.chain.getByRole("progressbar")).toHaveCount(0);

  const checkpoint = await log.saved(log.chain.getByRole("button", { name: t("auditLog.chain.checkpoint") }));
  expect(checkpoint.name).toMatch(/^audit-checkpoint-\d+-\d{4}-\d\d-\d\d\.json$/);
  const { records, headHash } = JSON.parse(await readFile(checkpoint.path, "utf8"));
  const exported = await log.saved(log.chain.getByRole("button", { name: t("auditLog.chain.download") }));
  const lines = (await readFile(exported.path, "utf8")).trimEnd().split("\n");
  expect(JSON.parse(lines[records - 1] as string).hash).toBe(headHash);
});

test("a filter that is chosen while the list is loading leaves the one before in place", SLOW, async ({ page }) => {
  const log = new AuditLogPage(page);
  await page.goto(AuditLogPage.PATH);
  await expect(log.rows.first()).toBeVisible();
  const release = await hold(page, /\/admin-logs\?.*_rsc=/);
  await log.choose(t("auditLog.action"), t("auditLog.actions.setup"));
  await log.choose(t("auditLog.table"), t("auditLog.tables.User"));
  release();
  await expect(page).toHaveURL(
    ({ searchParams }) => searchParams.get("action") === "setup" && searchParams.get("table") === "User",
  );
});
