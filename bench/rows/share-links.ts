import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { findChromium } from "../../scripts/lib/chromium.mjs";
import type { Bench } from "../bench.ts";
import { throughput } from "../load.ts";
import { anInstaller, flushDisk, uploadInOnePiece } from "../part-upload.ts";
import { CPU_SLOWDOWN, paintOf, startBareServer } from "../references.ts";
import { compared, median, notMeasured, perSecond, type Row, seconds } from "../report.ts";

const CONNECTIONS = 50;
const ROUNDS = 3;
const ROUND_MS = 4_000;
/** The share of what a bare Node server answers. */
const RATE_GOAL = 0.05;
/** The share of the pages that are answered while nothing is uploaded. */
const BESIDE_GOAL = 0.5;
/** An upload that goes on while pages are opened, and its speed: together, they take longer than all rounds. */
const UPLOAD_BYTES = 1_500_000_000;
const UPLOAD_RATE = "50M";
const PAINT_GOAL = 1.5;
const MAX_BYTES = 60_000;

const SAME_BYTES = "the same bytes of a bare Node server";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";

/** Compares when the page is painted with the same HTML of the bare server. */
async function paintRow(url: string, bare: string): Promise<Row> {
  const what = `First Contentful Paint of a share link's page, CPU ${CPU_SLOWDOWN} × slower`;
  const found = await findChromium(() => {});
  if ("missing" in found || !existsSync(found.path)) {
    return notMeasured(what, "missing" in found ? found.missing : "no Chromium");
  }
  const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
  try {
    const options = { paint: "first", viewport: { width: 390, height: 844 }, userAgent: ANDROID } as const;
    const times: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      times.ours.push(await paintOf(browser, url, options));
      times.bare.push(await paintOf(browser, bare, options));
    }
    return compared(what, {
      measured: median(times.ours),
      reference: median(times.bare),
      of: SAME_BYTES,
      format: seconds,
      goal: { most: PAINT_GOAL },
    });
  } finally {
    await browser.close();
  }
}

/** How many pages are answered in a second; a first round warms up. */
async function rateOf(page: string, headers: Record<string, string>): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const rate = await throughput(page, { connections: CONNECTIONS, milliseconds: ROUND_MS, headers });
    if (round > 0) rates.push(rate);
  }
  return median(rates);
}

/** How many pages are answered in a second while a file is uploaded. @throws Error if the upload ends before */
async function rateBesideUpload(bench: Bench, page: string, headers: Record<string, string>): Promise<number> {
  const file = await anInstaller(bench, "beside.ipa", UPLOAD_BYTES);
  try {
    await flushDisk();
    let isUploading = true;
    const upload = uploadInOnePiece(bench, file, { limitRate: UPLOAD_RATE }).finally(() => {
      isUploading = false;
    });
    const rate = await rateOf(page, headers);
    if (!isUploading) throw new Error("the upload ended before the pages were measured");
    await upload;
    return rate;
  } finally {
    await rm(file, { force: true });
  }
}

/** Measures the page of a share link: how many are answered, how soon it is painted, and what it weighs. */
export async function shareLinkRows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.command("share-links/create-share-link", {
    environmentId: bench.environmentId,
    name: "Benchmark",
  });
  const page = `${bench.baseUrl}${new URL(url).pathname}`;
  const headers = { "user-agent": ANDROID };
  const text = await (await fetch(page, { headers })).text();
  const form = await (await fetch(`${page}/feedback`, { headers })).text();
  const bytes = brotliCompressSync(text).byteLength + brotliCompressSync(form).byteLength;
  const what = `page of a share link, ${CONNECTIONS} connections`;
  const bare = await startBareServer(bench.runDir, text);
  try {
    const reference = await rateOf(bare.url, headers);
    const alone = await rateOf(page, headers);
    const beside = await rateBesideUpload(bench, page, headers);
    return [
      compared(what, {
        ...{ measured: alone, reference, of: SAME_BYTES, format: perSecond },
        goal: { least: RATE_GOAL },
      }),
      compared(`${what}, beside an upload at ${UPLOAD_RATE}B/s`, {
        ...{ measured: beside, reference: alone, of: "without the upload", format: perSecond },
        goal: { least: BESIDE_GOAL },
      }),
      await paintRow(page, bare.url),
      {
        what: "page of a share link and its form for feedback, with Brotli",
        measured: `${(bytes / 1_000).toFixed(1)} kB`,
        reference: null,
        ratio: null,
        goal: "at most 60 kB",
        met: bytes <= MAX_BYTES,
      },
    ];
  } finally {
    bare.stop();
  }
}
