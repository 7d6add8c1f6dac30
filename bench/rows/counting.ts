import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { writeIpa } from "@slipway/installers/testing";
import pg from "pg";
import type { Bench } from "../bench.ts";
import { processorMs } from "../memory.ts";
import { median, type Row } from "../report.ts";
import { curl } from "../transfer.ts";

const ROUNDS = 10;
const DOWNLOADS_PER_ROUND = 20;
/** Of a download in pieces. */
const RANGES = 8;
/** Longer than steps stay in memory, so that their writing belongs to the round. */
const SETTLE_MS = 700;

/**
 * Measures the processor time that the server process needs for a download whose steps are counted, compared with one whose steps are
 * not: by the link of an administrator and by that of an API token, in turns. Each counted download is a visit of its own.
 */
export async function countingRows(bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  const file = join(bench.runDir, "counting.ipa");
  const fillerBytes = Math.round(50_000_000 * scale);
  await writeIpa(file, { identifier: bench.identifier, version: "3.0", build: "1", fillerBytes });
  const { size } = await stat(file);
  const form = ["--form-string", `environmentId=${bench.environmentId}`, "--form-string", "description=To count"];
  await curl([
    ...["--header", `Authorization: Bearer ${bench.token}`, ...form, "--form", `file=@${file}`],
    `${bench.baseUrl}/api/apps/create-testing-deploy`,
  ]);
  const { items } = await bench.query(`apps/get-testing-deploys?environmentId=${bench.environmentId}&limit=1`);
  const { id } = items[0];
  const link = async (headers: Record<string, string>) => {
    const url = `${bench.baseUrl}/api/apps/generate-apple-manifest-request-token`;
    const response = await fetch(url, {
      method: "POST",
      headers: { origin: bench.baseUrl, "content-type": "application/json", ...headers },
      body: JSON.stringify({ id }),
    });
    if (!response.ok) throw new Error(`the link was refused with ${response.status}: ${await response.text()}`);
    const { token } = (await response.json()) as { token: string };
    return `${bench.baseUrl}/api/apps/download-testing-deploy-apple-file?token=${token}&part=ipa`;
  };
  const program = await bench.createToken(["release:read", "release:download"]);
  const links = {
    counted: await link({ cookie: bench.cookie }),
    uncounted: await link({ authorization: `Bearer ${program}` }),
  };
  const database = new pg.Client({ connectionString: bench.databaseUrl });
  await database.connect();
  const rows: Row[] = [];
  try {
    for (const { what, pieces } of [
      { what: "whole", pieces: 1 },
      { what: `in ${RANGES} ranges`, pieces: RANGES },
    ]) {
      const length = Math.ceil(size / pieces);
      const starts = Array.from({ length: pieces }, (_, index) => index * length);
      const times: Record<keyof typeof links, number[]> = { counted: [], uncounted: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        // The one that comes first changes, since what one leaves to the garbage collector is collected in the other.
        const order = (["counted", "uncounted"] as const).toSorted(() => (round % 2 === 0 ? 1 : -1));
        for (const side of order) {
          const before = processorMs(bench.serverPid);
          for (let count = 0; count < DOWNLOADS_PER_ROUND; count++) {
            await database.query(`DELETE FROM "InstallVisit" WHERE "releaseId" = $1`, [id]);
            let received = 0;
            for (const start of starts) {
              const range = pieces > 1 ? ["--range", `${start}-${Math.min(start + length, size) - 1}`] : [];
              received += (await curl([...range, links[side]])).receivedBytes;
            }
            if (received !== size) throw new Error(`${received} bytes were received of ${size}`);
          }
          await delay(SETTLE_MS);
          if (round > 0) times[side].push((processorMs(bench.serverPid) - before) / DOWNLOADS_PER_ROUND);
        }
      }
      const [counted, uncounted] = [median(times.counted), median(times.uncounted)];
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const format = (value: number) => `${value.toFixed(1)} ms`;
      rows.push({
        what: `processor time of a download of ${Math.round(size / 1e6)} MB, ${what}, with its steps counted`,
        measured: `${format(counted)} (mean ${format(mean(times.counted))})`,
        reference: `${format(uncounted)} (mean ${format(mean(times.uncounted))}) uncounted`,
        ratio: counted / uncounted,
        goal: "at most 1.02",
        met: counted / uncounted <= 1.02,
      });
    }
    return rows;
  } finally {
    await database.end();
  }
}
