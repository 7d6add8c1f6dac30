import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parse } from "yaml";
import { check, expect, poll } from "./checks";
import { anIpa, Client } from "./client";
import { type Content, fill } from "./content";
import type { Deployment } from "./deployment";
import { underLoad } from "./load";
import { newBackupFolder } from "./recovery";

const PROMETHEUS_PORT = 19090;
/** Alerts whose condition `npm test` brings about (lib/monitoring/metrics.test.ts), with the reason why this check cannot. */
const FORCED_BY_TESTS: Record<string, string> = {
  SlipwayStoreNearlyFull: "an S3 store does not tell its free room",
  SlipwaySignInsWait: "rate limits reject that many sign-ins from one address",
};
/** Panels without data here, with the reason. */
const WITHOUT_DATA: Record<string, string> = {
  "min(slipway_store_free_bytes)": "an S3 store does not tell its free room",
};

interface Rule {
  name: string;
  health: string;
  lastError?: string;
}

/** The API of Prometheus (HTTP API v1). @throws Error unless the answer says success */
async function prometheus<T>(path: string): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${PROMETHEUS_PORT}/api/v1/${path}`);
  const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
  if (status !== "success") throw new Error(`${path}: ${error}`);
  return data;
}

const query = (expression: string) =>
  prometheus<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
    `query?${new URLSearchParams({ query: expression })}`,
  );

/** Checks that a real Prometheus scrapes each instance, that each alert fires, and that each panel of the dashboard has data. */
export async function checkMonitoring(deployment: Deployment): Promise<void> {
  shortenTimes(deployment);
  deployment.set({
    APP_INSTANCES: "3",
    SLIPWAY_NETWORK: `${deployment.project}_slipway`,
    PROMETHEUS_PORT: String(PROMETHEUS_PORT),
  });
  await deployment.up();
  const checked: Checked = { deployment, content: await fill(deployment), alerts: new Alerts(deployment) };
  const options = ["--project-name", `${deployment.project}-monitoring`, "--env-file", ".env"];
  const monitoring = (...args: string[]) =>
    deployment.composeAsync(...options, "--file", "deploy/monitoring/compose.yml", ...args);
  try {
    await monitoring("up", "--detach", "prometheus");
    await checkInstances();
    await checkRules(checked);
    await checkNewDeployment(checked);
    const backups = chooseBackups(deployment);
    await checkDashboard(checked);
    await forceFilesLost(checked);
    await forceBackupAlerts(checked);
    await forceDataAlerts(checked);
    await forceInstanceAlerts(checked);
    await forcePoolAlerts(checked);
    await forceOutageAlerts(checked);
    await checkAllFired(checked);
    rmSync(backups, { recursive: true, force: true });
  } finally {
    await monitoring("down", "--volumes");
  }
}

/** The deployment whose alerts are checked, and what was put into it. */
interface Checked {
  deployment: Deployment;
  content: Content;
  alerts: Alerts;
}

/** The alerts of the deployment's file, and those that have fired. */
class Alerts {
  readonly names: string[];
  readonly fired = new Set<string>();

  constructor({ folder }: Deployment) {
    const file = parse(readFileSync(join(folder, "deploy/monitoring/alerts.yml"), "utf8")) as {
      groups: { rules: { alert: string }[] }[];
    };
    this.names = file.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  }

  /** Waits until alerts have fired. @throws Failure after 90 seconds */
  async poll(names: string[]): Promise<void> {
    await poll("they fire", 90, async () => {
      const { alerts } = await prometheus<{ alerts: { state: string; labels: { alertname: string } }[] }>("alerts");
      for (const { state, labels } of alerts) if (state === "firing") this.fired.add(labels.alertname);
      return names.every((name) => this.fired.has(name));
    });
  }

  /** Brings about what alerts are for, waits until they have fired, and undoes it. */
  async force(names: string[], cause: () => unknown, undo: () => unknown = () => {}): Promise<void> {
    await check(`fires: ${names.join(", ")}`, async () => {
      try {
        const caused = (async () => cause())();
        // It is awaited below.
        caused.catch(() => {});
        await this.poll(names);
        await caused;
      } finally {
        await undo();
      }
    });
  }
}

/**
 * Keeps the expressions, without the time that they have to hold, and over a minute, so that earlier requests do not outweigh the ones
 * that are to make them fire.
 */
function shortenTimes(deployment: Deployment): void {
  const folder = join(deployment.folder, "deploy", "monitoring");
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), "utf8")));
  edit("alerts.yml", (text) => text.replace(/^( +for): .*$/gm, "$1: 0s").replace(/\[(5|10)m\]/g, "[1m]"));
  edit("prometheus.yml", (text) =>
    text.replace(/_interval: 30s/g, "_interval: 5s").replace("timeout: 10s", "timeout: 4s"),
  );
  // As the page says, for secrets in files.
  const token = join(folder, "metrics_token");
  writeFileSync(token, deployment.secret("METRICS_TOKEN"));
  chmodSync(token, 0o444);
}

const sql = (deployment: Deployment, statement: string) =>
  deployment.compose("exec", "-T", "db", "psql", "--username=slipway", "--command", statement);
const backup = (deployment: Deployment) => deployment.command("backup", ["commands/backup.mjs", "create"]);

async function checkInstances(): Promise<void> {
  await check("Prometheus finds each of the three instances, with its own label", async () => {
    const count = async () => (await query('count(up{job="slipway"} == 1)')).result[0]?.value[1];
    await poll("three instances", 90, async () => (await count()) === "3");
    const { result } = await query("slipway_instance_info");
    const names = new Set(result.map(({ metric }) => metric.instance));
    expect(names.size === 3, `the labels are ${[...names].join(", ")}`);
  });
}

async function checkRules({ alerts }: Checked): Promise<void> {
  await check("Prometheus evaluates each alert rule without an error", async () => {
    const read = async () =>
      (await prometheus<{ groups: { rules: Rule[] }[] }>("rules")).groups.flatMap(({ rules }) => rules);
    await poll("all are evaluated", 60, async () => (await read()).every(({ health }) => health !== "unknown"));
    const rules = await read();
    const failed = rules.filter(({ health }) => health !== "ok");
    expect(failed.length === 0, failed.map(({ name, lastError }) => `${name}: ${lastError}`).join("\n"));
    expect(rules.length === alerts.names.length, `${rules.length} of ${alerts.names.length} rules`);
    return `${rules.length} rules`;
  });
}

async function checkNewDeployment({ alerts }: Checked): Promise<void> {
  await check("fire in a new deployment: SlipwayNoBackup, SlipwayAuditLogNotVerified", () =>
    alerts.poll(["SlipwayNoBackup", "SlipwayAuditLogNotVerified"]),
  );
}

/** @returns the folder of the backups */
function chooseBackups(deployment: Deployment): string {
  const backups = newBackupFolder(deployment, "backups");
  const identity = deployment.command("app", ["commands/backup.mjs", "keygen", "-"]).stdout;
  deployment.set({ BACKUP_DIR: backups, BACKUP_RECIPIENTS: /age1\w+/.exec(identity)?.[0] ?? "" });
  return backups;
}

async function checkDashboard({ deployment, content }: Checked): Promise<void> {
  await check("each panel of the dashboard has data", async () => {
    expect(backup(deployment).status === 0, "no backup was made");
    await content.open.must("config/verify-audit-chain");
    // More than a user may.
    for (let count = 0; count < 25; count++) await content.open.post("auth/enroll-two-factor");
    await underLoad(deployment.target, () => delay(20_000));
    const dashboard = JSON.parse(
      readFileSync(join(deployment.folder, "deploy/monitoring/grafana-dashboard.json"), "utf8"),
    );
    const expressions = (dashboard.panels as { title: string; targets?: { expr: string }[] }[]).flatMap(
      ({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })),
    );
    const empty: string[] = [];
    for (const { title, expr } of expressions) {
      const { result } = await query(expr.replaceAll("$instance", ".+"));
      if (result.length === 0 && !WITHOUT_DATA[expr]) empty.push(`${title}: ${expr}`);
    }
    expect(empty.length === 0, empty.join("\n"));
    return `${expressions.length} expressions`;
  });
}

async function forceFilesLost({ deployment, content, alerts }: Checked): Promise<void> {
  await alerts.force(["SlipwayFilesLost"], async () => {
    // Of a file that the backup does not have yet.
    const { fileId } = (await content.open.uploadInParts(anIpa(300_000))).json;
    const { environmentId } = content;
    await content.open.must("apps/create-testing-deploy", { environmentId, fileId, description: "lost" });
    const [store = ""] = deployment.containers("store");
    deployment.docker("exec", store, "sh", "-c", `rm "$(find /objects -type f -name '*${fileId}*' | head -n 1)"`);
    backup(deployment);
  });
}

async function forceBackupAlerts({ deployment, alerts }: Checked): Promise<void> {
  await alerts.force(["SlipwayBackupFailed"], () => {
    deployment.set({ BACKUP_RECIPIENTS: "age1wrong" });
    backup(deployment);
  });
  await alerts.force(["SlipwayBackupOld"], () =>
    sql(deployment, `UPDATE "BackupState" SET "succeededAt" = now() - interval '2 days'`),
  );
}

async function forceDataAlerts({ deployment, content, alerts }: Checked): Promise<void> {
  await alerts.force(["SlipwayCertificateExpires"], () =>
    sql(deployment, `UPDATE "SecureCertificate" SET "expirationDate" = now() + interval '3 days'`),
  );
  await alerts.force(["SlipwayJobsDelayed", "SlipwayMailDelayed"], () =>
    sql(
      deployment,
      `INSERT INTO pgboss.job (name, data, created_on, start_after)
       SELECT name, '{}', now() - interval '1 hour', now() + interval '1 hour' FROM unnest(ARRAY['sweep', 'mail']) AS name`,
    ),
  );
  await alerts.force(["SlipwayAuditLogChanged"], async () => {
    sql(
      deployment,
      `ALTER TABLE "AuditRecord" DISABLE TRIGGER USER;
         UPDATE "AuditRecord" SET "action" = 'forged' WHERE "id" = 3;
         ALTER TABLE "AuditRecord" ENABLE TRIGGER USER`,
    );
    await content.open.must("config/verify-audit-chain");
  });
}

async function forceInstanceAlerts({ deployment, alerts }: Checked): Promise<void> {
  const [first = "", second = "", third = ""] = deployment.containers("app");
  await alerts.force(
    ["SlipwayInstanceDown"],
    () => deployment.dockerAsync("pause", third),
    () => deployment.dockerAsync("unpause", third),
  );
  await alerts.force(
    ["SlipwayDiskNearlyFull"],
    () => deployment.docker("exec", first, "sh", "-c", "head -c 62m /dev/zero > /data/fill"),
    () => deployment.docker("exec", first, "rm", "/data/fill"),
  );
  let isBlocked = true;
  await alerts.force(
    ["SlipwayEventLoopBlocked"],
    async () => {
      while (isBlocked && !alerts.fired.has("SlipwayEventLoopBlocked")) {
        await deployment.dockerAsync("pause", second);
        await delay(1_500);
        await deployment.dockerAsync("unpause", second);
        await delay(300);
      }
    },
    () => {
      isBlocked = false;
    },
  );
}

async function forcePoolAlerts({ deployment, content, alerts }: Checked): Promise<void> {
  await alerts.force(["SlipwayPoolExhausted", "SlipwaySlow"], async () => {
    const held = deployment.composeAsync(
      ...["exec", "-T", "db", "psql", "--username=slipway", "--command"],
      'BEGIN; LOCK TABLE "App"; SELECT pg_sleep(20); COMMIT',
    );
    await delay(1_000);
    const waiting = Array.from({ length: 6 }, () => {
      const client = new Client(deployment.target);
      return Promise.allSettled(Array.from({ length: 30 }, () => client.get("config/get-app-config"))).finally(() =>
        client.close(),
      );
    });
    const signedIn = Promise.allSettled(Array.from({ length: 100 }, () => content.open.get("apps/get-apps")));
    await Promise.all([held, ...waiting, signedIn]);
  });
}

async function forceOutageAlerts({ deployment, alerts }: Checked): Promise<void> {
  const requests = async (count: number, path: string) => {
    const client = new Client(deployment.target);
    await Promise.allSettled(Array.from({ length: count }, () => client.page(path)));
    client.close();
  };
  await alerts.force(
    ["SlipwayDatabaseDown", "SlipwayErrors"],
    async () => {
      await deployment.composeAsync("stop", "db");
      await requests(60, "/api/config/get-app-config");
      // Prometheus sees no increase in the first value of a counter.
      await delay(6_000);
      await requests(60, "/api/config/get-app-config");
    },
    () => deployment.up(),
  );
  await alerts.force(
    ["SlipwayStoreDown", "SlipwayJobsFail"],
    async () => {
      await deployment.composeAsync("stop", "store");
      sql(deployment, `INSERT INTO pgboss.job (name, data, retry_limit) VALUES ('sweep', '{}', 0)`);
    },
    () => deployment.up(),
  );

  await alerts.force(
    ["SlipwayDown"],
    () => deployment.composeAsync("stop", "app"),
    () => deployment.up(),
  );
}

async function checkAllFired({ alerts }: Checked): Promise<void> {
  await check("each alert fired", async () => {
    const silent = alerts.names.filter((name) => !alerts.fired.has(name) && !FORCED_BY_TESTS[name]);
    expect(silent.length === 0, silent.join(", "));
    const reasons = Object.entries(FORCED_BY_TESTS).map(([name, reason]) => `${name} by npm test only: ${reason}`);
    return `${alerts.fired.size} of ${alerts.names.length}; ${reasons.join("; ")}`;
  });
}
