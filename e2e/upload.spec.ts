import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import { dataDir } from "../testing/environment.ts";
import { aLargeIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { axeViolations } from "./fixtures/page-health";
import { SentRequests, UPLOAD_REQUESTS } from "./fixtures/sent-requests";
import { SLOW } from "./fixtures/slow";
import { slowDown, uploadHalfway } from "./fixtures/slow-upload";
import { expect, type Place, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

/** Large enough for five parts of 8 MiB: more than are sent in parallel at first, and so many that some are left in the middle. */
const MEGABYTES = 38;
const PARTS = 5;

/** Everything in the store that belongs to a file, under any name. */
async function traces(storageKey: string): Promise<string[]> {
  const names = await readdir(dataDir(), { recursive: true });
  const last = storageKey.slice(storageKey.lastIndexOf("/") + 1);
  return names.filter((name) => name.includes(last));
}

async function openDialog(page: Page, place: Place): Promise<UploadDialog> {
  await page.goto(ReleasesPage.path(place));
  await new ReleasesPage(page).upload.click();
  return new UploadDialog(page);
}

test.describe.configure({ mode: "parallel", timeout: 120_000 });

test("an upload waits without network and resumes when it is back", async ({
  page,
  context,
  place,
  admin,
  problems,
}, info) => {
  problems.expectLostConnections();
  const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
  const sent = new SentRequests(page, UPLOAD_REQUESTS);
  const dialog = await openDialog(page, place);
  const speedUp = await uploadHalfway(page, dialog, file);

  await context.setOffline(true);
  await expect(dialog.phase("offline")).toBeVisible();
  const before = sent.countOf("files/upload-part");
  await context.setOffline(false);
  await speedUp();
  await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });

  expect(sent.countOf("files/create-upload")).toBe(1);
  expect(sent.countOf("files/upload-part")).toBeGreaterThan(before);
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
  expect(items.map(({ size, sha256 }) => ({ size, sha256 }))).toEqual([{ size: file.size, sha256: file.sha256 }]);
});

test(
  "an upload that the store loses in the middle ends by itself",
  SLOW,
  async ({ page, place, admin, database, problems }, info) => {
    problems.expect(/404/);
    const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    const dialog = await openDialog(page, place);
    const speedUp = await uploadHalfway(page, dialog, file);
    const [row] = await database.filesNamed(file.name);
    const [folder] = (await traces(row?.storageKey ?? "")).filter((name) => /^uploads.[^/\\]+$/.test(name));
    // In one step: while its files are deleted one by one, the console adds parts.
    const lost = join(dataDir(), "lost");
    await rename(join(dataDir(), folder as string), lost);
    await rm(lost, { recursive: true });
    await speedUp();
    await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });

    expect(sent.countOf("files/create-upload")).toBe(1);
    expect(sent.countOf("files/upload-part")).toBeGreaterThan(PARTS);
    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    expect(items.map(({ size, sha256 }) => ({ size, sha256 }))).toEqual([{ size: file.size, sha256: file.sha256 }]);
  },
);

test("after a reload in the middle, choosing the file again sends only the missing parts", async ({
  page,
  place,
  admin,
}, info) => {
  const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
  const dialog = await openDialog(page, place);
  const speedUp = await uploadHalfway(page, dialog, file);
  const asked = page.waitForEvent("dialog");
  page.once("dialog", (question) => question.accept());
  await Promise.all([page.reload(), asked]);
  expect((await asked).type()).toBe("beforeunload");

  await new ReleasesPage(page).upload.click();
  await expect(dialog.dialog.getByText(file.name)).toBeVisible();
  await expect(dialog.unfinished).toBeVisible();
  const sent = new SentRequests(page, UPLOAD_REQUESTS);
  await dialog.file.setInputFiles(file.path);
  await expect(dialog.dialog.getByText(t("upload.goesOn"))).toBeVisible();
  await expect(dialog.description).toHaveValue("What changed");
  await speedUp();
  await dialog.submit.click();
  await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });

  expect(sent.countOf("files/create-upload")).toBe(0);
  expect(sent.countOf("files/upload-part")).toBeLessThan(PARTS);
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
  expect(items.map(({ size, sha256 }) => ({ size, sha256 }))).toEqual([{ size: file.size, sha256: file.sha256 }]);

  await page.keyboard.press("Escape");
  await expect(page.getByText(t("upload.unfinished.description"), { exact: true })).toHaveCount(0);
  await new ReleasesPage(page).upload.click();
  await expect(dialog.file).toBeAttached();
  await expect(dialog.unfinished).toHaveCount(0);
});

test(
  "parts are sent in parallel, a lost part is sent again, and the dialog shows what is left",
  SLOW,
  async ({ page, place, admin, problems }, info) => {
    problems.expectLostConnections();
    problems.expect(/status of 503/);
    const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
    const dialog = await openDialog(page, place);
    const underWay = new Set<Request>();
    let most = 0;
    const isPart = (request: Request) => request.url().includes("/upload-part");
    page.on("request", (request) => {
      if (isPart(request)) underWay.add(request);
      most = Math.max(most, underWay.size);
    });
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end as "requestfinished", (request) => underWay.delete(request));
    }
    const faults = ["reset", "unavailable", "reset"];
    await page.route(/upload-part.*number=2$/, async (route) => {
      const fault = faults.shift();
      if (fault === "reset") return route.abort("connectionreset");
      if (fault === "unavailable") return route.fulfill({ status: 503, headers: { "retry-after": "1" }, body: "" });
      return route.continue();
    });
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    await slowDown(page);
    await dialog.file.setInputFiles(file.path);
    await dialog.publish("What changed");
    await expect(dialog.dialog.getByText(/ · .+\/s · .+ /)).toBeVisible({ timeout: 60_000 });
    await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });

    expect(faults).toEqual([]);
    expect(most).toBeGreaterThan(1);
    expect(sent.countOf("files/create-upload")).toBe(1);
    expect(sent.countOf("files/upload-part")).toBe(PARTS + 3);
    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    expect(items.map(({ sha256 }) => sha256)).toEqual([file.sha256]);
  },
);

test("a paused upload sends nothing until it is resumed", SLOW, async ({ page, place, admin }, info) => {
  const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
  const dialog = await openDialog(page, place);
  const speedUp = await uploadHalfway(page, dialog, file);
  await dialog.dialog.getByRole("button", { name: t("upload.pause"), exact: true }).click();
  await expect(dialog.phase("paused")).toBeVisible();
  const sent = new SentRequests(page, UPLOAD_REQUESTS);
  await speedUp();
  await expect(dialog.progress).toBeVisible();
  expect(sent.count).toBe(0);
  await dialog.dialog.getByRole("button", { name: t("upload.resume"), exact: true }).click();
  await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
  expect(items.map(({ sha256 }) => sha256)).toEqual([file.sha256]);
});

test(
  "a cancelled upload leaves nothing behind in the store or in the tables",
  SLOW,
  async ({ page, place, admin, database }, info) => {
    const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
    const dialog = await openDialog(page, place);
    await uploadHalfway(page, dialog, file);
    const [row] = await database.filesNamed(file.name);
    expect(row).toMatchObject({ state: "pending", uploadId: expect.any(String) });
    const { storageKey = "" } = row ?? {};
    expect(await traces(storageKey)).not.toEqual([]);

    // In the dialog that the panel opens, which stays although the panel has nothing to show any more.
    await page.keyboard.press("Escape");
    await dialog.panel.getByRole("button", { name: t("upload.panel.open") }).click();
    await dialog.cancelUpload.click();
    await expect(dialog.panel).toHaveCount(0);
    await expect(dialog.submit).toBeEnabled();
    await expect(dialog.description).toHaveValue("What changed");
    await expect.poll(() => database.filesNamed(file.name)).toEqual([]);
    await expect.poll(() => traces(storageKey)).toEqual([]);
    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    expect(items).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem("slipway.uploads"))).toBeNull();
  },
);

test("an upload continues on other pages after the dialog is closed, and publishes the text as it is then", async ({
  page,
  place,
  admin,
}, info) => {
  const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
  const dialog = await openDialog(page, place);
  const speedUp = await uploadHalfway(page, dialog, file);
  await dialog.description.fill("Changed during the upload");
  await page.keyboard.press("Escape");
  await expect(dialog.dialog).toHaveCount(0);
  await expect(dialog.panel.getByRole("progressbar")).toBeVisible();

  await new AppShell(page).navigationLink("platforms").click();
  await expect(page).toHaveURL("/admin-platforms");
  await expect(dialog.panel.getByRole("progressbar")).toBeVisible();
  await dialog.panel.getByRole("button", { name: t("upload.panel.open") }).click();
  await expect(dialog.description).toHaveValue("Changed during the upload");
  await dialog.dialog.getByRole("button", { name: t("upload.background"), exact: true }).click();
  expect(await axeViolations(page)).toEqual([]);
  await speedUp();
  await expect(dialog.panel.getByText(t("upload.panel.published"), { exact: true })).toBeVisible({ timeout: 60_000 });
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
  expect(items).toMatchObject([{ description: "Changed during the upload", sha256: file.sha256 }]);
  await dialog.panel.getByRole("button", { name: t("upload.panel.dismiss"), exact: true }).click();
  await expect(dialog.panel).toHaveCount(0);
});

test(
  "an interrupted upload is announced on the list and can be discarded there",
  SLOW,
  async ({ page, place, database }, info) => {
    const file = await aLargeIpa(info.outputPath(), place.identifier, MEGABYTES);
    const dialog = await openDialog(page, place);
    await uploadHalfway(page, dialog, file);

    // In another tab, it is announced only when this one has ended it.
    const other = await page.context().newPage();
    await other.goto(ReleasesPage.path(place));
    const known = () => other.evaluate(() => localStorage.getItem("slipway.uploads"));
    expect(await known()).toContain(file.name);
    await other.evaluate(() => navigator.locks.query());
    await expect(other.getByRole("main").getByText(file.name)).toHaveCount(0);
    const announced = other.getByRole("main").getByText(file.name).waitFor();

    page.once("dialog", (question) => question.accept());
    await page.reload();
    await announced;
    await other.close();
    expect(await database.filesNamed(file.name)).toHaveLength(1);
    const main = page.getByRole("main");
    await expect(main.getByText(file.name)).toBeVisible();
    await main.getByRole("button", { name: t("upload.unfinished.discard"), exact: true }).click();
    await expect(main.getByText(file.name)).toHaveCount(0);
    await expect.poll(() => database.filesNamed(file.name)).toEqual([]);
  },
);

test(
  "bytes that the console already has are not sent a second time",
  SLOW,
  async ({ page, place, admin, newPlace }, info) => {
    const file = await aLargeIpa(info.outputPath(), place.identifier, 24);
    const dialog = await openDialog(page, place);
    await dialog.file.setInputFiles(file.path);
    await dialog.publish("Staging");
    await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });

    const second = await newPlace();
    const environment = await admin.command("apps/create-environment-app", {
      appId: second.appId,
      name: "Accepts the other one too",
      status: "active",
      identifiers: [place.identifier],
    });
    await page.goto(ReleasesPage.path({ appId: second.appId, environmentId: environment.id }));
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    await new ReleasesPage(page).upload.click();
    // A file whose hash takes longer than a few seconds is sent all the same: this machine may be busy.
    const hashed = page.waitForEvent("worker").then((worker) => worker.waitForEvent("close"));
    await dialog.file.setInputFiles(file.path);
    await hashed;
    await dialog.publish("Customers");
    await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });
    expect(sent.operations).toEqual(["files/create-upload", "apps/create-testing-deploy"]);
  },
);
