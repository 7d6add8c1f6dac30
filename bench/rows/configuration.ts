import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { type Bench, startBench } from "../bench.ts";
import { generatedKey } from "../configuration-history.ts";
import { fill } from "../fill.ts";
import { failed, type Row } from "../report.ts";
import { cursorOf, measureAlternating, type Side } from "./lists.ts";

const DEEP_PAGE = 10_000;
/** Requests whose answer grows with the configuration are measured less often. */
const LARGE_REQUESTS = 10;
const FEW = { variables: 1_000, versions: 1_000 };

type Size = typeof FEW;

/** A console with a configuration of a size. */
interface Console {
  bench: Bench;
  size: Size;
  /** Reads and writes all kinds in the environment. */
  token: string;
}

interface Query {
  what: string;
  path(console: Console): string | Promise<string>;
  /** Sends the token, which needs no second factor, instead of the administrator's session. */
  byToken?: boolean;
  /** How many entries the answer has, if it grows with the configuration: the time is then compared by entry. */
  entries?(size: Size): number;
}

const LISTS = [
  { name: "development variables", operation: "get-development-variables", table: "DevVariable", byToken: false },
  { name: "secure variables", operation: "get-secure-variables", table: "SecureVariable", byToken: true },
];

function listQueries({ name, operation, table, byToken }: (typeof LISTS)[number]): Query[] {
  const path = ({ bench }: Console) => `apps/${operation}?environmentId=${bench.environmentId}`;
  const deepPage = (sort: string) => async (console: Console) => {
    const sql = ({ environmentId }: Bench) => `SELECT "id", "${sort}" FROM "${table}"
      WHERE "environmentId" = '${environmentId}' ORDER BY "${sort}", "id" OFFSET $1 LIMIT 1`;
    const { cursor } = await cursorOf(console.bench, { sort, sql }, DEEP_PAGE, console.size.variables);
    return `${path(console)}&sort=${sort}&cursor=${encodeURIComponent(cursor)}`;
  };
  const filtered = (what: string, query: string): Query => ({
    what: `${name}, ${what}`,
    byToken,
    path: (console) => `${path(console)}&${query}`,
  });
  return [
    filtered("first page", "sort=name"),
    ...["name", "key", "updatedAt"].map((sort) => ({
      what: `${name} by ${sort}, a page at 70 %`,
      byToken,
      path: deepPage(sort),
    })),
    filtered("by key", "sort=key"),
    filtered("latest changes", "sort=-updatedAt"),
    filtered("inactive", "status=inactive"),
    filtered("searched, one found", "search=_000777_"),
    filtered("searched, all found", "search=service"),
  ];
}

const versionsPath = ({ bench }: Console) => `apps/get-configuration-versions?environmentId=${bench.environmentId}`;
const diffPath = ({ bench }: Console, from: number, to: number) =>
  `apps/get-configuration-diff?environmentId=${bench.environmentId}&from=${from}&to=${to}`;
const asOf = (version: (size: Size) => number) => (console: Console) =>
  `client/get-configuration?configurationVersion=${version(console.size)}`;
/** The variables of both kinds. */
const allEntries = ({ variables }: Size) => 2 * variables;

const QUERIES: Query[] = [
  ...LISTS.flatMap(listQueries),
  { what: "configuration versions, first page", path: versionsPath },
  {
    what: "configuration versions, a page at 70 %",
    async path(console) {
      const sql = ({ environmentId }: Bench) => `SELECT "number" AS "id", "number"::text AS "version"
        FROM "ConfigurationVersion" WHERE "environmentId" = '${environmentId}' ORDER BY "number" DESC OFFSET $1 LIMIT 1`;
      const { cursor } = await cursorOf(console.bench, { sort: "-version", sql }, Infinity, console.size.versions);
      return `${versionsPath(console)}&cursor=${encodeURIComponent(cursor)}`;
    },
  },
  {
    what: "configuration versions of one key",
    path: (console) => `${versionsPath(console)}&key=${generatedKey("dev-variable", 0)}`,
  },
  {
    what: "comparison of the last two versions",
    path: (console) => diffPath(console, console.size.versions - 1, console.size.versions),
  },
  {
    what: "comparison of version 1 and the current one",
    path: (console) => diffPath(console, 1, console.size.versions),
    entries: allEntries,
  },
  {
    what: "comparison over half of the versions",
    path: (console) => diffPath(console, console.size.versions / 4, (console.size.versions * 3) / 4),
    entries: allEntries,
  },
  {
    what: "environments compared, first page",
    path: ({ bench }) => `apps/get-variables-matrix?appId=${bench.appId}&kind=dev-variable&limit=25`,
  },
  { what: "client/get-configuration", byToken: true, path: () => "client/get-configuration", entries: allEntries },
  { what: "client/get-configuration as of version 1", byToken: true, path: asOf(() => 1), entries: allEntries },
  {
    what: "client/get-configuration as of the middle version",
    byToken: true,
    path: asOf(({ versions }) => versions / 2),
    entries: allEntries,
  },
  ...(["dev-variable", "secure-variable"] as const).map((kind) => ({
    what: `export of ${kind === "dev-variable" ? "development" : "secure"} variables`,
    byToken: true,
    path: ({ bench }: Console) =>
      `apps/export-variables?environmentId=${bench.environmentId}&kind=${kind}&format=dotenv`,
    entries: ({ variables }: Size) => variables,
  })),
];

async function sideOf(query: Query, console: Console): Promise<Side> {
  const headers: Record<string, string> = query.byToken
    ? { authorization: `Bearer ${console.token}` }
    : { cookie: console.bench.cookie };
  return { url: `${console.bench.baseUrl}/api/${await query.path(console)}`, headers };
}

/** A row that compares two times, by entry if their number differs. */
function toRow(what: string, few: { ms: number; entries?: number }, many: { ms: number; entries?: number }): Row {
  const perEntry = few.entries && many.entries ? few.entries / many.entries : 1;
  const ratio = (many.ms / few.ms) * perEntry;
  const of = ({ entries }: { entries?: number }) => (entries ? ` of ${entries.toLocaleString("en")}` : "");
  return {
    what,
    measured: `${many.ms.toFixed(1)} ms${of(many)}`,
    reference: `${few.ms.toFixed(1)} ms${of(few)}`,
    ratio,
    goal: many.entries ? "at most 1.3 by entry" : "at most 1.3",
    met: ratio <= 1.3,
  };
}

async function rowOf(query: Query, few: Console, many: Console): Promise<Row> {
  const requests = query.entries ? LARGE_REQUESTS : undefined;
  const [atFew, atMany] = await measureAlternating(await sideOf(query, few), await sideOf(query, many), requests);
  return toRow(
    query.what,
    { ms: atFew, entries: query.entries?.(few.size) },
    { ms: atMany, entries: query.entries?.(many.size) },
  );
}

/** Times an import of all variables into an empty environment, another that changes each of them, and the restoration. */
async function timeChanges({ bench, size }: Console): Promise<Record<string, number>> {
  const { appId } = bench;
  const { id: environmentId } = await bench.command("apps/create-environment-app", {
    appId,
    name: "Import",
    status: "active",
  });
  const times: Record<string, number> = {};
  const timed = async (what: string, path: string, body: object) => {
    const begun = performance.now();
    await bench.command(path, { environmentId, ...body });
    times[what] = performance.now() - begun;
  };
  const textOf = (value: string) =>
    Array.from({ length: size.variables }, (_, n) => `${generatedKey("dev-variable", n)}=${value} ${n}`).join("\n");
  const file = { kind: "dev-variable", format: "dotenv", mode: "merge" };
  await timed("dry run of an import", "apps/import-variables", { ...file, text: textOf("one"), dryRun: true });
  await timed("import of new variables", "apps/import-variables", { ...file, text: textOf("one") });
  await timed("import of changed variables", "apps/import-variables", { ...file, text: textOf("two") });
  await timed("restoration of a version", "apps/restore-configuration", { version: 1 });
  return times;
}

async function startConsole(size: Size): Promise<Console> {
  const bench = await startBench();
  const { variables, versions } = size;
  const keys = parseMasterKeys(bench.masterKey);
  const amounts = { developmentVariables: variables, secureVariables: variables, configurationVersions: versions };
  await fill(bench.databaseUrl, amounts, { environmentId: bench.environmentId, keys });
  for (const name of ["QA", "Staging"]) {
    const environment = await bench.command("apps/create-environment-app", {
      appId: bench.appId,
      name,
      status: "active",
    });
    await fill(
      bench.databaseUrl,
      { developmentVariables: variables - 10, configurationVersions: 1 },
      { environmentId: environment.id, keys },
    );
  }
  const scopes = ["environment:write", "dev-variable:write", "secure-variable:write"];
  return { bench, size, token: await bench.createToken(scopes) };
}

/**
 * Measures variables and their history with many of both, compared with the same with a thousand on a second server. A request
 * whose answer grows is compared by entry.
 */
export async function configurationRows(_bench: Bench, { configuration }: { configuration: Size }): Promise<Row[]> {
  const few = await startConsole(FEW);
  try {
    const many = await startConsole(configuration);
    try {
      const rows: Row[] = [];
      for (const query of QUERIES) rows.push(await rowOf(query, few, many).catch((error) => failed(query.what, error)));
      const [atFew, atMany] = [await timeChanges(few), await timeChanges(many)];
      for (const [what, ms] of Object.entries(atMany)) {
        const [before, after] = [FEW.variables, configuration.variables];
        rows.push(toRow(what, { ms: atFew[what] as number, entries: before }, { ms, entries: after }));
      }
      return rows;
    } finally {
      await many.bench.stop();
    }
  } finally {
    await few.bench.stop();
  }
}
