import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { startJobs, stopJobs } from "@/lib/jobs";
import { readMetrics } from "@/lib/monitoring/metrics";
import { setUpTestDatabase } from "@/scripts/test-database";

const TOKEN = "a-token-of-at-least-thirty-two-characters";
vi.stubEnv("METRICS_TOKEN", TOKEN);
setUpTestDatabase();

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const read = (file: string) => readFileSync(file, "utf8");
const rules = (parse(read("deploy/monitoring/alerts.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const panels = (JSON.parse(read("deploy/monitoring/grafana-dashboard.json")) as { panels: Panel[] }).panels;
const handbook = read("docs/operations/monitoring.md");
const OF_PROMETHEUS = ["up", "ALERTS"];
/** The series of a histogram end with one of these. */
const SUFFIX = /_(bucket|sum|count)$/;

let names: Set<string>;
beforeAll(async () => {
  await startJobs();
  const { body } = await readMetrics({ headers: new Headers({ authorization: `Bearer ${TOKEN}` }) });
  names = new Set([...String(body).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name as string));
  return stopJobs;
});

/** The metrics that an expression uses. */
function metricsOf(expression: string): string[] {
  const withoutLabels = expression.replace(/\{[^}]*\}|\b(by|ignoring|on)\s*\([^)]*\)/g, " ");
  return [...withoutLabels.matchAll(/\b(?:slipway|nodejs|process)_\w+\b/g)].map(([name]) => name);
}

const isExposed = (metric: string) => names.has(metric) || names.has(metric.replace(SUFFIX, ""));

describe("the dashboard", () => {
  it("has a title and expressions in each panel, whose metrics the console exposes", () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(30);
    const used = expressions.flatMap(metricsOf);
    expect(expressions.filter((expression) => metricsOf(expression).length === 0)).toEqual([]);
    expect(used.filter((metric) => !isExposed(metric))).toEqual([]);
  });

  it("shows every metric of the console", () => {
    const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr))));
    const bases = new Set([...shown].map((metric) => metric.replace(SUFFIX, "")));
    const own = [...names].filter((name) => name.startsWith("slipway_"));
    expect(own.filter((name) => !shown.has(name) && !bases.has(name))).toEqual([]);
  });
});

describe.each(rules)("the alert $alert", ({ alert, expr, labels, annotations }) => {
  it("uses metrics that the console exposes", () => {
    const used = metricsOf(expr);
    expect(used.length > 0 || OF_PROMETHEUS.some((name) => expr.includes(`${name}{`))).toBe(true);
    expect(used.filter((metric) => !isExposed(metric))).toEqual([]);
  });

  it("says how urgent it is, and what to do in a section of the handbook", () => {
    expect(labels.severity).toMatch(/^(warning|critical)$/);
    expect(annotations.runbook).toBe(`docs/operations/monitoring.md#${alert.toLowerCase()}`);
    expect(handbook).toContain(`\n### ${alert}\n`);
  });
});

it("the documentation names every metric of the console", () => {
  const own = [...names].filter((name) => name.startsWith("slipway_"));
  expect(own.filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
});

it("the scrape configuration asks each instance for its metrics", () => {
  const { scrape_configs: configs } = parse(read("deploy/monitoring/prometheus.yml"));
  const { services } = parse(read("docker-compose.yml"));
  expect(configs).toHaveLength(1);
  expect(configs[0]).toMatchObject({ metrics_path: "/api/metrics", honor_labels: true });
  const [{ names: hosts, port }] = configs[0].dns_sd_configs;
  expect(hosts.filter((host: string) => !(host in services))).toEqual([]);
  expect(port).toBe(3000);
});
