import { randomInt } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { randomFrom } from "@/lib/testing/random";
import type { ConsoleClient } from "./fixtures/console-client";
import { ConsoleDatabase } from "./fixtures/database";
import { type Deployment, startDeployment } from "./fixtures/deployment";
import { aLargeIpa, anIpa, type Installer, sha256Of, sha256OfFile } from "./fixtures/installers";
import { SentRequests, UPLOAD_REQUESTS } from "./fixtures/sent-requests";
import { uploadHalfway } from "./fixtures/slow-upload";
import { expect, makePlace, type Place, test } from "./fixtures/test";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

test.describe.configure({ mode: "serial" });
test.use({ signedIn: false });
test.setTimeout(240_000);

const KILLS = 4;
/** The steps of one upload: begin, three parts, join, publish. */
const STEPS = 6;
/** The longest delay, in milliseconds, between the start of a step and the kill; about as long as a step takes. */
const WITHIN_MS = 80;

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

/** An upload, as its client knows it. */
interface Journey {
  installer: Installer;
  uploadId?: string;
  fileId?: string;
  releaseId?: string;
}

/** Continues an upload from its current step, and reports each step before it is done. */
async function goOn(admin: ConsoleClient, place: Place, journey: Journey, began: () => void): Promise<void> {
  const { name, bytes } = journey.installer;
  if (!journey.uploadId) {
    began();
    const begun = await admin.command("files/create-upload", { name, size: bytes.length });
    if (!("uploadId" in begun)) throw new Error("the bytes are known already");
    journey.uploadId = begun.uploadId;
  }
  const { uploadId } = journey;
  if (!journey.fileId) {
    const { missing, partSize } = await admin.query("files/get-upload", { uploadId });
    for (const { number, url } of missing) {
      began();
      const data = Buffer.from(bytes.slice((number - 1) * partSize, number * partSize));
      const answer = await admin.request.put(url, { data });
      if (!answer.ok()) throw new Error(`part ${number}: ${answer.status()}`);
    }
    const { parts, fileId } = await admin.query("files/get-upload", { uploadId });
    began();
    journey.fileId = fileId ?? (await admin.command("files/complete-upload", { uploadId, parts })).fileId;
  }
  began();
  const { id } = await admin.command("apps/create-testing-deploy", {
    environmentId: place.environmentId,
    description: "Through thick and thin",
    fileId: journey.fileId,
  });
  journey.releaseId = id;
}

/** Every file below a folder, by its path with "/". */
async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [relative(folder, path).split(sep).join("/"), path]));
}

/**
 * Store and tables say the same: no object without a row, no row without its object, every byte as it was sent. What
 * uploads still go on with may be half there.
 */
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

/** The same, once nothing is under way any more: then nothing is half there. */
async function expectNothingHalf(): Promise<void> {
  await database.expireUploads();
  await expectAgreement();
  expect((await database.allFiles()).filter(({ state }) => state !== "ready")).toEqual([]);
  expect(await readdir(join(deployment.dataDir, "uploads"))).toEqual([]);
}

test("after a kill -9 at any step and a restart, store and tables agree, what was answered is there, and uploads go on", async ({
  browserName: _,
}, info) => {
  const seed = Number(process.env.SLIPWAY_CRASH_SEED) || randomInt(1, 2 ** 31);
  info.annotations.push({ type: "seed", description: `SLIPWAY_CRASH_SEED=${seed}` });
  console.log(`kills at random points: SLIPWAY_CRASH_SEED=${seed}`);
  const random = randomFrom(seed);
  let admin = await deployment.signIn();
  const place = await makePlace(admin);
  const published: Journey[] = [];

  for (let kill = 0; kill < KILLS; kill++) {
    const journeys: Journey[] = [0, 1].map((index) => ({
      installer: anIpa(place.identifier, { version: `${kill}.${index}`, fillerBytes: 17 * 1024 * 1024 }),
    }));
    const atStep = random(2 * STEPS);
    const after = random(WITHIN_MS);
    const moment = Promise.withResolvers<void>();
    let steps = 0;
    const began = () => {
      if (steps++ === atStep) moment.resolve();
    };
    const running = journeys.map((journey) =>
      goOn(admin, place, journey, began).then(
        () => undefined,
        () => undefined,
      ),
    );
    await Promise.race([moment.promise, Promise.all(running)]);
    await delay(after);
    await deployment.servers[0]?.kill();
    await Promise.all(running);
    await admin.dispose();

    await deployment.restart(0);
    await expectAgreement();
    admin = await deployment.signIn();
    for (const journey of journeys) {
      const answered = journey.releaseId;
      await goOn(admin, place, journey, () => undefined);
      if (answered) expect(journey.releaseId).toBe(answered);
      published.push(journey);
    }
  }
  const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId, limit: 100 });
  expect(items.map(({ id, sha256 }) => `${id} ${sha256}`).sort()).toEqual(
    published.map(({ releaseId, installer }) => `${releaseId} ${sha256Of(installer.bytes)}`).sort(),
  );
  await expectNothingHalf();
  await admin.dispose();
});

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
