import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { writeIpa } from "@slipway/installers/testing";
import pg from "pg";
import type { Bench } from "../bench.ts";
import { threadsMs } from "../memory.ts";
import { median, type Row } from "../report.ts";
import { curl } from "../transfer.ts";

const DOWNLOADS = 50;
const WARM_UP = 5;
/** Of a download in pieces. */
const RANGES = 8;
/** Longer than steps stay in memory, so that their writing belongs to the download. */
const SETTLE_MS = 700;

/**
 * Measures a download that is alone and whose steps are counted, compared with one whose steps are not: by the link of an administrator and
 * by that of an API token, in turns. Each counted download is a visit of its own, which is written with nothing else.
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
    for (const { name, pieces } of [
      { name: "whole", pieces: 1 },
      { name: `in ${RANGES} ranges`, pieces: RANGES },
    ]) {
      const length = Math.ceil(size / pieces);
      const starts = Array.from({ length: pieces }, (_, index) => index * length);
      const processor: Record<keyof typeof links, number[]> = { counted: [], uncounted: [] };
      const wall: Record<keyof typeof links, number[]> = { counted: [], uncounted: [] };
      for (let count = -WARM_UP; count < DOWNLOADS; count++) {
        // The one that comes first changes, since what one leaves to the garbage collector is collected in the other.
        const order = (["counted", "uncounted"] as const).toSorted(() => (count % 2 === 0 ? 1 : -1));
        for (const side of order) {
          await database.query(`DELETE FROM "InstallVisit" WHERE "releaseId" = $1`, [id]);
          const before = threadsMs(bench.serverPid);
          let [received, milliseconds] = [0, 0];
          for (const start of starts) {
            const range = pieces > 1 ? ["--range", `${start}-${Math.min(start + length, size) - 1}`] : [];
            const transfer = await curl([...range, links[side]]);
            received += transfer.receivedBytes;
            milliseconds += transfer.milliseconds;
          }
          if (received !== size) throw new Error(`${received} bytes were received of ${size}`);
          await delay(SETTLE_MS);
          if (count < 0) continue;
          processor[side].push(threadsMs(bench.serverPid) - before);
          wall[side].push(milliseconds);
        }
      }
      const what = `of a download of ${Math.round(size / 1e6)} MB, ${name}, with its steps counted`;
      rows.push(rowOf(`processor time ${what}`, processor), rowOf(`time ${what}`, wall));
    }
    return rows;
  } finally {
    await database.end();
  }
}

function rowOf(what: string, { counted, uncounted }: Record<"counted" | "uncounted", readonly number[]>): Row {
  const format = (values: readonly number[]) =>
    `${median(values).toFixed(1)} ms (least ${Math.min(...values).toFixed(1)} ms)`;
  const ratio = median(counted) / median(uncounted);
  return {
    what,
    measured: format(counted),
    reference: `${format(uncounted)} uncounted`,
    ratio,
    goal: "at most 1.02",
    met: ratio <= 1.02,
  };
}
