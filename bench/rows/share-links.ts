import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/lib/chromium.mjs";
import type { Bench } from "../bench.ts";
import { throughput } from "../load.ts";
import { anInstaller, flushDisk, uploadInOnePiece } from "../part-upload.ts";
import { median, notMeasured, type Row, seconds } from "../report.ts";

const CONNECTIONS = 50;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const RATE_GOAL = 1_000;
/** An upload that goes on while pages are opened, and its speed: together, they take longer than all rounds. */
const UPLOAD_BYTES = 1_500_000_000;
const UPLOAD_RATE = "50M";
const CPU_SLOWDOWN = 4;
const PAINT_LIMIT_MS = 800;
const MAX_BYTES = 60_000;

const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";

/** Opens a page with an empty cache. @returns the time of its First Contentful Paint, in milliseconds */
async function paintOf(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, userAgent: ANDROID });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.goto(url, { waitUntil: "networkidle" });
    return await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.POSITIVE_INFINITY,
    );
  } finally {
    await context.close();
  }
}

async function paintRow(url: string): Promise<Row> {
  const what = `First Contentful Paint of a share link's page, CPU ${CPU_SLOWDOWN} × slower`;
  const found = await findChromium(() => {});
  if ("missing" in found || !existsSync(found.path)) {
    return notMeasured(what, "missing" in found ? found.missing : "no Chromium");
  }
  const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
  try {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await paintOf(browser, url));
    const time = median(times);
    return {
      what,
      measured: seconds(time),
      reference: null,
      ratio: null,
      goal: "at most 0.8 s",
      met: time <= PAINT_LIMIT_MS,
    };
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

function rateRow(what: string, rate: number): Row {
  return {
    what,
    measured: `${rate.toFixed(0)}/s`,
    reference: null,
    ratio: null,
    goal: `at least ${RATE_GOAL}/s`,
    met: rate >= RATE_GOAL,
  };
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
  return [
    rateRow(what, await rateOf(page, headers)),
    rateRow(`${what}, beside an upload at ${UPLOAD_RATE}B/s`, await rateBesideUpload(bench, page, headers)),
    await paintRow(page),
    {
      what: "page of a share link and its form for feedback, with Brotli",
      measured: `${(bytes / 1_000).toFixed(1)} kB`,
      reference: null,
      ratio: null,
      goal: "at most 60 kB",
      met: bytes <= MAX_BYTES,
    },
  ];
}
