import { DAY_MS } from "@/lib/kernel/time";
import { type Bench, startBench } from "../bench.ts";
import { fill } from "../fill.ts";
import { failed, type Row } from "../report.ts";
import { measureAlternating } from "./lists.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const FEW = { releases: 1_000, downloads: 10_000, users: 1_000 };

/** What the dashboard, an app's page, the page of the storage and the search of the console request. */
const QUERIES: { name: string; path(bench: Bench): string }[] = [
  { name: "the dashboard", path: () => "config/get-dashboard" },
  { name: "the activity of an app", path: ({ appId }) => `apps/get-app-activity?appId=${appId}` },
  { name: "what files take", path: () => "retention/get-storage" },
  { name: "a release with its downloads", path: ({ releaseId }) => `apps/get-testing-deploy-by-id?id=${releaseId}` },
  { name: "how far installations come", path: ({ releaseId }) => `installs/get-install-funnel?releaseId=${releaseId}` },
  {
    name: "how far installations came in 90 days",
    path: ({ releaseId }) => `installs/get-install-funnel?releaseId=${releaseId}&from=${daysAgo(90)}`,
  },
  ...["tablets", "1.1", "grace", "zeppelin"].map((word) => ({
    name: `a search of the console for ${word}`,
    path: () => `apps/search-console?search=${word}`,
  })),
];

/** Measures the statistics and the search of the console with many releases, downloads and users, as `listRows` does. */
export async function statisticsRows(_bench: Bench, { amounts }: { amounts: typeof FEW }): Promise<Row[]> {
  const few = await startBench();
  try {
    const many = await startBench();
    try {
      await fill(few.databaseUrl, FEW, { releaseId: few.releaseId });
      await fill(many.databaseUrl, amounts, { releaseId: many.releaseId });
      const rows: Row[] = [];
      for (const { name, path } of QUERIES) {
        const [atFew, atMany] = await measureAlternating(sideOf(few, path), sideOf(many, path)).catch((error) => [
          error,
          0,
        ]);
        rows.push(typeof atFew === "number" ? rowOf(name, amounts, atFew, atMany) : failed(name, atFew));
      }
      return rows;
    } finally {
      await many.stop();
    }
  } finally {
    await few.stop();
  }
}

function sideOf(bench: Bench, path: (bench: Bench) => string) {
  return { url: `${bench.baseUrl}/api/${path(bench)}`, headers: { cookie: bench.cookie } };
}

function rowOf(name: string, amounts: typeof FEW, atFew: number, atMany: number): Row {
  const format = (count: number) => count.toLocaleString("en");
  return {
    what: `${name} at ${format(amounts.releases)} releases and ${format(amounts.downloads)} downloads`,
    measured: `p95 ${atMany.toFixed(1)} ms`,
    reference: `p95 ${atFew.toFixed(1)} ms at ${format(FEW.releases)} and ${format(FEW.downloads)}`,
    ratio: atMany / atFew,
    goal: "at most 1.3",
    met: atMany / atFew <= 1.3,
  };
}
