import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type Deployment, startDeployment } from "../testing/deployment";
import { aLargeIpa, sha256OfFile } from "../testing/installers";
import { makePlace } from "../testing/place";
import { ConsoleDatabase } from "./fixtures/database";
import { SentRequests, UPLOAD_REQUESTS } from "./fixtures/sent-requests";
import { uploadHalfway } from "./fixtures/slow-upload";
import { expect, test } from "./fixtures/test";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

test.use({ signedIn: false });

let deployment: Deployment;
let database: ConsoleDatabase;

test.beforeAll(async () => {
  deployment = await startDeployment("server-crash");
  database = new ConsoleDatabase(deployment.databaseUrl);
});

test.afterAll(async () => {
  await database?.close();
  await deployment?.stop();
});

/** Every file below a folder, by its path with "/". */
async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [relative(folder, path).split(sep).join("/"), path]));
}

/** Expects that the store and the tables agree: each object has a row, and each row an object with the bytes that were sent. */
async function expectAgreement(): Promise<void> {
  const swept = await deployment.run("sweep", "--now");
  expect(swept.code, swept.err).toBe(0);
  const objects = await filesBelow(join(deployment.dataDir, "files"));
  const rows = await database.allFiles();
  const known = new Set(rows.map(({ storageKey }) => storageKey));
  expect([...objects.keys()].filter((key) => !known.has(key))).toEqual([]);
  for (const { storageKey, size, sha256 } of rows.filter((row) => row.sha256 !== null)) {
    const path = objects.get(storageKey) as string;
    expect((await stat(path)).size).toBe(size);
    expect(await sha256OfFile(path)).toBe(sha256);
  }
  expect(rows.filter(({ state }) => state === "deleting")).toEqual([]);
}

/** The same after all uploads have ended: no object and no row is incomplete. */
async function expectNothingHalf(): Promise<void> {
  await database.expireUploads();
  await expectAgreement();
  expect((await database.allFiles()).filter(({ state }) => state !== "ready")).toEqual([]);
  expect(await readdir(join(deployment.dataDir, "uploads"))).toEqual([]);
}

test("a browser's upload waits after a kill -9 of the server and resumes without user action", async ({
  page,
  context,
  problems,
}, info) => {
  problems.expectLostConnections();
  const admin = await deployment.signIn();
  const place = await makePlace(admin);
  const file = await aLargeIpa(info.outputPath(), place.identifier, 66);
  await context.addCookies((await admin.request.storageState()).cookies);
  await page.goto(`${deployment.url}${ReleasesPage.path(place)}`);
  const sent = new SentRequests(page, UPLOAD_REQUESTS);
  await new ReleasesPage(page).upload.click();
  const dialog = new UploadDialog(page);
  const speedUp = await uploadHalfway(page, dialog, file);

  await deployment.servers[0]?.kill();
  await expect(dialog.phase("waiting")).toBeVisible();
  await deployment.restart(0);
  await speedUp();
  await expect(dialog.published("1.0.0 (1)")).toBeVisible({ timeout: 60_000 });
  expect(sent.countOf("files/create-upload")).toBe(1);
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
  expect(items.map(({ size, sha256 }) => ({ size, sha256 }))).toEqual([{ size: file.size, sha256: file.sha256 }]);
  await admin.dispose();
  await page.close();
  await expectNothingHalf();
});
