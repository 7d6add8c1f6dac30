import { spawn } from "node:child_process";
import pg from "pg";
import type { Bench } from "../bench.ts";
import { watchMemory } from "../memory.ts";
import { mebibytes, median, notMeasured, type Row, seconds } from "../report.ts";
import { curl } from "../transfer.ts";

const RECORDS = 1_000_000;
/** Records of a first export, so that code loaded by it does not count towards the memory of the measured ones. */
const WARM_UP_RECORDS = 20_000;
const RUNS = 3;

/** Returns the time of the oldest of the newest `count` records, and how many there are. */
async function newest(client: pg.Client, count: number): Promise<{ from: Date; records: number }> {
  const { rows } = await client.query<{ from: Date; records: number }>(
    `SELECT min("eventDate") AS "from", count(*)::int AS "records"
     FROM (SELECT "eventDate" FROM "AuditRecord" ORDER BY "eventDate" DESC, "id" DESC LIMIT $1) newest`,
    [count],
  );
  return rows[0] as { from: Date; records: number };
}

/** Exports the same columns with psql. @returns milliseconds; null if psql is not installed */
function psqlCopy(databaseUrl: string, from: Date): Promise<number | null> {
  const query = `SELECT r."id", r."userId", (SELECT u."email" FROM "User" u WHERE u."id" = r."userId") AS "userEmail",
    r."table", r."recordId", r."action", r."eventDate", r."changes" FROM "AuditRecord" r
    WHERE r."eventDate" >= '${from.toISOString()}' ORDER BY r."eventDate" DESC, r."id" DESC`;
  const command = `\\copy (${query.replaceAll(/\s+/g, " ")}) TO '/dev/null' WITH (FORMAT csv, HEADER)`;
  const begun = performance.now();
  const child = spawn(
    "psql",
    ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--command", command, databaseUrl],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  return new Promise((resolve, reject) => {
    child.once("error", (error) => ("code" in error && error.code === "ENOENT" ? resolve(null) : reject(error)));
    child.once("close", (code) => {
      if (code === 0) resolve(performance.now() - begun);
      else reject(new Error(`psql exited with ${code}`));
    });
  });
}

/** Measures the CSV export of up to a million audit records, compared with psql's `\copy` of the same records. */
export async function auditCsvRows(bench: Bench): Promise<Row[]> {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  const few = await newest(client, WARM_UP_RECORDS);
  const { from, records } = await newest(client, RECORDS).finally(() => client.end());
  const what = `CSV of ${records.toLocaleString("en")} audit records`;
  const exported = (since: Date) => {
    const url = `${bench.baseUrl}/api/config/get-audit-logs?format=csv&from=${since.toISOString()}`;
    return curl(["--header", `Cookie: ${bench.cookie}`, url]);
  };
  const [ours, psqls]: [number[], number[]] = [[], []];
  await exported(few.from);
  const grown = watchMemory(bench.serverPid);
  for (let run = 0; run < RUNS; run++) {
    const { status, milliseconds } = await exported(from);
    if (status !== 200) throw new Error(`the export returned ${status}`);
    ours.push(milliseconds);
    const psql = await psqlCopy(bench.databaseUrl, from);
    if (psql === null) return [notMeasured(what, "there is no psql")];
    psqls.push(psql);
  }
  const memory = grown();
  const perSecond = (times: readonly number[]) => (records / median(times)) * 1000;
  const format = (times: readonly number[]) =>
    `${Math.round(perSecond(times)).toLocaleString("en")} rows/s (${seconds(median(times))})`;
  const ratio = perSecond(ours) / perSecond(psqls);
  return [
    {
      what,
      measured: format(ours),
      reference: `psql \\copy ${format(psqls)}`,
      ratio,
      goal: "at least 0.3",
      met: ratio >= 0.3,
    },
    {
      what: `server memory during ${RUNS} of them`,
      measured: `+${mebibytes(memory)}`,
      reference: null,
      ratio: null,
      goal: "at most +64 MiB",
      met: memory <= 64 * 1024 ** 2,
    },
  ];
}
