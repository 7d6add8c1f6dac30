import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeIpa } from "@slipway/installers/testing";
import type { Bench } from "../bench.ts";
import { NGINX_MISSING, startNginx } from "../nginx.ts";
import { median, notMeasured, type Row } from "../report.ts";
import { curl } from "../transfer.ts";

const ROUNDS = 5;

/** Measures a large download from the disk store, whole and from its middle on, compared with nginx and the same file. */
export async function downloadRows(bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  if (NGINX_MISSING) return [notMeasured("downloads", NGINX_MISSING)];
  const file = join(bench.runDir, "download.ipa");
  await writeIpa(file, {
    identifier: bench.identifier,
    version: "2.0",
    build: "1",
    fillerBytes: Math.round(1_000_000_000 * scale),
  });
  const { size } = await stat(file);
  const form = ["--form-string", `environmentId=${bench.environmentId}`, "--form-string", "description=To download"];
  const uploaded = await curl([
    ...["--header", `Authorization: Bearer ${bench.token}`, ...form, "--form", `file=@${file}`],
    `${bench.baseUrl}/api/apps/create-testing-deploy`,
  ]);
  if (uploaded.status !== 201) throw new Error(`the upload returned ${uploaded.status}`);
  const { items } = await bench.query(`apps/get-testing-deploys?environmentId=${bench.environmentId}&limit=1`);
  const nginx = await startNginx(join(bench.runDir, "nginx"), bench.runDir);
  try {
    const ours = [
      ...["--header", `Cookie: ${bench.cookie}`],
      `${bench.baseUrl}/api/apps/download-testing-deploy-file?id=${items[0].id}`,
    ];
    const theirs = [`${nginx.url}/download.ipa`];
    const rows: Row[] = [];
    for (const { what, from } of [
      { what: "whole", from: 0 },
      { what: "with Range, from its middle on", from: Math.floor(size / 2) },
    ]) {
      const range = from > 0 ? ["--range", `${from}-`] : [];
      const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const [our, their] = [await curl([...range, ...ours]), await curl([...range, ...theirs])];
        for (const { receivedBytes, status } of [our, their]) {
          if (receivedBytes !== size - from) throw new Error(`${status} with ${receivedBytes} bytes`);
        }
        if (round === 0) continue;
        times.ours.push(our.milliseconds);
        times.theirs.push(their.milliseconds);
      }
      const speed = (milliseconds: number) => (size - from) / 1e6 / (milliseconds / 1000);
      const [our, their] = [speed(median(times.ours)), speed(median(times.theirs))];
      rows.push({
        what: `download of ${Math.round(size / 1e6)} MB (disk store), ${what}`,
        measured: `${our.toFixed(0)} MB/s`,
        reference: `${their.toFixed(0)} MB/s nginx`,
        ratio: our / their,
        goal: "at least 0.6",
        met: our / their >= 0.6,
      });
    }
    return rows;
  } finally {
    await nginx.stop();
    await rm(file, { force: true });
  }
}
