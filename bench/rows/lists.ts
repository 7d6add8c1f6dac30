import pg from "pg";
import { toPage } from "@/lib/api/list";
import { type Bench, startBench } from "../bench.ts";
import { fill, generatedRecordId, generatedRecordName } from "../fill.ts";
import { Client } from "../load.ts";
import { failed, quantile, type Row } from "../report.ts";
import { auditCsvRows } from "./audit-csv.ts";

const REQUESTS = 150;
const WARM_UP = 20;
const FEW = { releases: 1_000, users: 1_000, auditRecords: 1_000 };
const LIMIT = 25;
const ANDROID = "019a0000-0000-7000-8000-000000000012";
/** The platform of the row of a whole build. */
const ALL_PLATFORMS = "00000000-0000-0000-0000-000000000000";

/** A list and the queries to measure. */
interface List {
  name: string;
  amount: keyof typeof FEW;
  /** Returns the list's path, without a page or filter. */
  path(bench: Bench): string;
  /** The order, and the SQL of the row at offset $1, from which the cursor of a deep page is built. Absent if the list is one page. */
  rows?: Parameters<typeof cursorOf>[1];
  filters: { name: string; query: string | ((bench: Bench) => string) }[];
}

const releaseFilters = [
  { name: "of one version", query: "version=1.1" },
  { name: "of one platform", query: `platformId=${ANDROID}` },
  { name: "of one day", query: `from=${isoDay(-1)}&to=${isoDay(-1)}` },
  { name: "searched, one found", query: "search=T777-" },
  { name: "searched, all found", query: "search=tablets" },
];

const LISTS: List[] = [
  {
    name: "releases of an environment",
    amount: "releases",
    path: ({ environmentId }) => `apps/get-testing-deploys?environmentId=${environmentId}`,
    rows: {
      sort: "-deployDate",
      sql: ({ environmentId }) => `SELECT "id", "deployDate" FROM "Release" WHERE "environmentId" = '${environmentId}'
        ORDER BY "deployDate" DESC, "id" DESC OFFSET $1 LIMIT 1`,
    },
    filters: releaseFilters,
  },
  {
    name: "releases of an app",
    amount: "releases",
    path: ({ appId }) => `apps/get-testing-deploys-by-app?appId=${appId}`,
    rows: {
      sort: "-deployDate",
      sql: () => `SELECT "id", "deployDate" FROM "Release" ORDER BY "deployDate" DESC, "id" DESC OFFSET $1 LIMIT 1`,
    },
    filters: releaseFilters,
  },
  {
    name: "builds of an environment",
    amount: "releases",
    path: ({ environmentId }) => `apps/get-builds?environmentId=${environmentId}`,
    rows: {
      sort: "-deployDate",
      sql: ({ environmentId }) => `SELECT "id", "deployDate" FROM "Build"
        WHERE "environmentId" = '${environmentId}' AND "platformId" = '${ALL_PLATFORMS}'
        ORDER BY "deployDate" DESC, "id" DESC OFFSET $1 LIMIT 1`,
    },
    filters: releaseFilters,
  },
  {
    name: "builds of an app",
    amount: "releases",
    path: ({ appId }) => `apps/get-builds?appId=${appId}`,
    rows: {
      sort: "-deployDate",
      sql: () => `SELECT "id", "deployDate" FROM "Build" WHERE "platformId" = '${ALL_PLATFORMS}'
        ORDER BY "deployDate" DESC, "id" DESC OFFSET $1 LIMIT 1`,
    },
    filters: releaseFilters,
  },
  { name: "apps with their counts", amount: "releases", path: () => "apps/get-apps?", filters: [] },
  {
    name: "users",
    amount: "users",
    path: () => "auth/get-users?",
    rows: {
      sort: "firstNames",
      sql: () => `SELECT "id", "firstNames" FROM "User" ORDER BY "firstNames", "id" OFFSET $1 LIMIT 1`,
    },
    filters: [
      { name: "inactive", query: "status=inactive" },
      { name: "searched, one found", query: "search=tester777@" },
      { name: "searched, many found", query: "search=grace" },
    ],
  },
  {
    name: "audit records",
    amount: "auditRecords",
    path: () => "config/get-audit-logs?",
    rows: {
      sort: "-eventDate",
      sql: () => `SELECT "id", "eventDate" FROM "AuditRecord" ORDER BY "eventDate" DESC, "id" DESC OFFSET $1 LIMIT 1`,
    },
    filters: [
      { name: "of one table", query: "table=App" },
      { name: "of one action", query: "action=delete" },
      { name: "of one user", query: ({ userId }) => `userId=${userId}` },
      { name: "of one table, action and user", query: ({ userId }) => `table=User&action=update&userId=${userId}` },
      { name: "of one record", query: `recordId=${generatedRecordId(42)}` },
      { name: "of one day", query: `from=${isoDay(0)}&to=${isoDay(0)}` },
      { name: "of one table and day", query: `table=Release&from=${isoDay(0)}&to=${isoDay(0)}` },
      { name: "of the tables that a search finds", query: "search=relea" },
      { name: "searched by one record", query: `search=${encodeURIComponent(generatedRecordName(42))}` },
      { name: "searched by an application", query: "search=application%2017" },
      { name: "searched by the environments of all applications", query: "search=staging" },
      {
        name: "searched by an application, of one table and action",
        query: "search=application%2017&table=User&action=delete",
      },
      { name: "searched by a name that all records have", query: "search=record" },
    ],
  },
];

/** Returns the date `days` days from today, in UTC. */
function isoDay(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the cursor of the given page, or of a page at 70 % of a shorter list. */
export async function cursorOf(
  bench: Bench,
  order: { sort: string; sql(bench: Bench): string },
  page: number,
  rows: number,
): Promise<{ cursor: string; page: number }> {
  const wanted = Math.min(page, Math.floor((rows * 0.7) / LIMIT));
  const before = (wanted - 1) * LIMIT;
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  try {
    const found = await client.query(order.sql(bench), [before - 1]);
    const { nextCursor } = toPage([found.rows[0], found.rows[0]], { sort: order.sort, limit: 1 });
    return { cursor: nextCursor as string, page: wanted };
  } finally {
    await client.end();
  }
}

/** A request of a measurement. */
export interface Side {
  url: string;
  headers: Record<string, string>;
}

/**
 * Measures two requests by turns, so that other load on the machine affects both.
 * @returns their p95 in milliseconds
 */
export async function measureAlternating(
  few: Side,
  many: Side,
  requests = REQUESTS,
): Promise<[few: number, many: number]> {
  const warmUp = Math.ceil((requests * WARM_UP) / REQUESTS);
  const sides = [few, many].map(({ url, headers }) => ({
    client: new Client({ connections: 1, headers }),
    url,
    times: [] as number[],
  }));
  try {
    for (let turn = 0; turn < warmUp + requests; turn++) {
      for (const { client, url, times } of sides) {
        const { milliseconds } = await client.get(url);
        if (turn >= warmUp) times.push(milliseconds);
      }
    }
  } finally {
    for (const { client } of sides) client.close();
  }
  return sides.map(({ times }) => quantile(times, 0.95)) as [few: number, many: number];
}

async function rowsOf(
  list: List,
  few: Bench,
  many: Bench,
  amounts: Record<keyof typeof FEW, number>,
  deepPage: number,
): Promise<Row[]> {
  const format = (count: number) => count.toLocaleString("en");
  const [amount, smallAmount] = [amounts[list.amount], FEW[list.amount]];
  const row = async (what: string, pathOfFew: string, pathOfMany: string): Promise<Row> => {
    const sideOf = (bench: Bench, path: string) => ({
      url: `${bench.baseUrl}/api/${path}`,
      headers: { cookie: bench.cookie },
    });
    const [atFew, atMany] = await measureAlternating(sideOf(few, pathOfFew), sideOf(many, pathOfMany));
    return {
      what: `${list.name} at ${format(amount)}, ${what}`,
      measured: `p95 ${atMany.toFixed(1)} ms`,
      reference: `p95 ${atFew.toFixed(1)} ms at ${format(smallAmount)}`,
      ratio: atMany / atFew,
      goal: "at most 1.3",
      met: atMany / atFew <= 1.3,
    };
  };
  const [pathOfFew, pathOfMany] = [list.path(few), list.path(many)];
  const rows = [await row("first page", pathOfFew, pathOfMany)];
  if (!list.rows) return rows;
  const lastOfFew = await cursorOf(few, list.rows, deepPage, smallAmount);
  const deep = await cursorOf(many, list.rows, deepPage, amount);
  const at = ({ cursor }: { cursor: string }) => `&cursor=${encodeURIComponent(cursor)}`;
  rows.push(await row(`page ${format(deep.page)}`, pathOfFew + at(lastOfFew), pathOfMany + at(deep)));
  for (const { name, query } of list.filters) {
    const of = (bench: Bench) => (typeof query === "string" ? query : query(bench));
    rows.push(await row(name, `${pathOfFew}&${of(few)}`, `${pathOfMany}&${of(many)}`));
  }
  return rows;
}

/**
 * Measures each list with many rows, compared with the same list with a thousand rows on a second server. Also measures the
 * CSV export of the larger audit log.
 */
export async function listRows(
  _bench: Bench,
  { amounts, deepPage }: { amounts: Record<keyof typeof FEW, number>; deepPage: number },
): Promise<Row[]> {
  const few = await startBench();
  try {
    const many = await startBench();
    try {
      for (const bench of [few, many]) {
        for (const name of ["QA", "Staging", "Production"]) {
          await bench.command("apps/create-environment-app", { appId: bench.appId, name, status: "active" });
        }
      }
      await fill(few.databaseUrl, FEW, { releaseId: few.releaseId });
      const { releases, users, auditRecords } = amounts;
      await fill(many.databaseUrl, { releases, users, auditRecords }, { releaseId: many.releaseId });
      const rows: Row[] = [];
      for (const list of LISTS) {
        try {
          rows.push(...(await rowsOf(list, few, many, amounts, deepPage)));
        } catch (error) {
          rows.push(failed(list.name, error));
        }
      }
      rows.push(...(await auditCsvRows(many).catch((error) => [failed("the audit log as CSV", error)])));
      return rows;
    } finally {
      await many.stop();
    }
  } finally {
    await few.stop();
  }
}
