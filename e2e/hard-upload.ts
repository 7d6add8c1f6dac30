import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { watchMemory } from "../bench/memory.ts";
import { mebibytes, seconds } from "../bench/report.ts";
import { namedChromium } from "../scripts/lib/chromium.mjs";
import type { ConsoleClient } from "../testing/console-client";
import { startDeployment } from "../testing/deployment";
import { aLargeIpa, anIpa } from "../testing/installers";
import { makePlace, type Place } from "../testing/place";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

/** The default size of the file. */
const MEBIBYTES = 5 * 1024;
/** The interruptions, by the percentage of the file that has been sent. */
const EVENTS: readonly [percent: number, event: "cut" | "kill"][] = [
  [8, "cut"],
  [20, "cut"],
  [32, "kill"],
  [45, "cut"],
  [58, "cut"],
  [70, "kill"],
  [84, "cut"],
];
/** The time for which the connection is down. */
const CUT_MS = 1_500;

async function percentOf(page: Page): Promise<number> {
  return (
    Number(
      await page
        .getByRole("progressbar")
        .first()
        .getAttribute("aria-valuenow")
        .catch(() => null),
    ) || 0
  );
}

/**
 * Uploads and publishes a small file, so that the memory for loading and compiling code and for filling pools does not count
 * towards the measured growth.
 */
async function warmUp(admin: ConsoleClient, { identifier, environmentId }: Place): Promise<void> {
  const { name, bytes } = anIpa(identifier, { version: "0.0.1", build: String(Date.now()) });
  const upload = await admin.command("files/create-upload", { name, size: bytes.length });
  if (!("parts" in upload)) throw new Error("The store already contains the new file.");
  const sent = await admin.request.put(upload.parts[0]?.url as string, { data: Buffer.from(bytes) });
  const { etag } = await sent.json();
  const parts = [{ number: 1, etag }];
  const { fileId } = await admin.command("files/complete-upload", { uploadId: upload.uploadId, parts });
  await admin.command("apps/create-testing-deploy", { environmentId, fileId, description: "To warm up" });
}

/**
 * Uploads an .ipa of 5 GiB with Chromium, cuts the connection five times and kills the server twice. Checks that the file
 * arrives unchanged, and reports the growth of the server's memory.
 * Usage: `npx tsx e2e/hard-upload.ts [mebibytes]`
 */
async function main(mebibyteCount: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-hard-upload-"));
  const browser = await chromium.launch({ executablePath: namedChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  const deployment = await startDeployment("server-hard-upload", { front: true });
  try {
    const admin = await deployment.signIn();
    const place = await makePlace(admin);
    const file = await aLargeIpa(folder, place.identifier, mebibyteCount);
    const context = await browser.newContext({ locale: "es-ES" });
    await context.addCookies((await admin.request.storageState()).cookies);
    const page = await context.newPage();
    let sentParts = 0;
    page.on("request", (request) => {
      if (request.url().includes("/upload-part")) sentParts += 1;
    });
    await page.goto(`${deployment.url}${ReleasesPage.path(place)}`);
    await new ReleasesPage(page).upload.click();
    const dialog = new UploadDialog(page);
    await dialog.file.setInputFiles(file.path);

    const pidOf = () => deployment.servers[0]?.pid as number;
    // Memory is measured for each server process, from its first small upload on.
    await warmUp(admin, place);
    let grown = watchMemory(pidOf());
    const growths: number[] = [];
    const begun = performance.now();
    await dialog.publish("Upload with interruptions");
    for (const [percent, event] of EVENTS) {
      while ((await percentOf(page)) < percent) await delay(100);
      if (event === "cut") {
        deployment.front?.treat(() => "cut");
        deployment.front?.cutAll();
        await delay(CUT_MS);
        deployment.front?.treat(() => "pass");
      } else {
        growths.push(grown());
        await deployment.servers[0]?.kill();
        await deployment.restart(0);
        await warmUp(admin, place);
        grown = watchMemory(pidOf());
      }
      console.error(`${percent} %: ${event === "cut" ? "the connection was cut" : "the server was killed"}`);
    }
    await dialog.published("1.0.0 (1)").waitFor({ timeout: 500_000 });
    const took = performance.now() - begun;
    growths.push(grown());

    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    const release = items.find(({ version }) => version === "1.0.0");
    const isSame = release?.sha256 === file.sha256 && release.size === file.size;
    const parts = Math.ceil(file.size / (8 * 1024 * 1024));
    console.log(`${(file.size / 1e9).toFixed(2)} GB in ${seconds(took)}, with ${EVENTS.length} interruptions`);
    console.log(`SHA-256 ${isSame ? "unchanged" : "CHANGED"}: ${release?.sha256}`);
    console.log(`${sentParts} parts of 8 MiB were sent, ${parts} make up the file`);
    console.log(`server memory, by process: ${growths.map((growth) => `+${mebibytes(growth)}`).join(", ")}`);
    if (!isSame) process.exitCode = 1;
    await admin.dispose();
  } finally {
    await browser.close();
    await deployment.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main(Number(process.argv[2]) || MEBIBYTES);
