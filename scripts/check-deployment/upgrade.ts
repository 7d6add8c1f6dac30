import { check, describeLoad, expect, poll } from "./checks";
import { Client } from "./client";
import type { Deployment } from "./deployment";
import { underLoad } from "./load";

/** A version with one more migration. */
const withMigration = (name: string, sql: string) => {
  const folder = `prisma/migrations/99990101000000_${name}`;
  return `USER root\nRUN mkdir ${folder} && printf '%s\\n' '${sql}' > ${folder}/migration.sql\nUSER node\n`;
};

const ADDED = withMigration("added", 'ALTER TABLE "App" ADD COLUMN "checked" TEXT DEFAULT $$yes$$;');
const SLEEP_SECONDS = 20;
const SLOW = withMigration("slow", `ALTER TABLE "App" ADD COLUMN "slow" TEXT; SELECT pg_sleep(${SLEEP_SECONDS});`);
const BROKEN = withMigration("broken", 'ALTER TABLE "App" ADD COLUMN "broken" TEXT; SELECT 1 / 0;');

/** The deployment whose upgrades are checked, and its two versions. */
interface Versions {
  deployment: Deployment;
  tagPrevious: () => void;
  tagNext: () => void;
}

/**
 * Checks upgrades and rollbacks under load, and upgrades that are interrupted or fail.
 * @param previous the image of the previous version; by default, the new one is the same with one more migration
 */
export async function checkUpgrades(deployment: Deployment, { previous }: { previous?: string }): Promise<void> {
  const versions: Versions = {
    deployment,
    tagPrevious: () => deployment.tagImage("previous", "", previous),
    tagNext: () => deployment.tagImage("next", previous ? "" : ADDED),
  };
  await checkUpgradeUnderLoad(versions, 1);
  await checkUpgradeUnderLoad(versions, 3);
  deployment.set({ APP_INSTANCES: "1" });
  await deployment.up();
  await checkKillWithinMigration(versions);
  await checkKillsDuringStart(deployment);
  await checkFailingMigration(deployment);
  await checkFailingRollingUpdate(deployment);
}

const query = (deployment: Deployment, sql: string) =>
  deployment
    .compose("exec", "-T", "db", "psql", "--username=slipway", "--no-align", "--tuples-only", "--command", sql)
    .trim();

/** The number of columns of the applications that have a name: "1" or "0". */
const columns = (deployment: Deployment, name: string) =>
  query(
    deployment,
    `SELECT count(*) FROM information_schema.columns WHERE table_name = 'App' AND column_name = '${name}'`,
  );

const appLogs = (deployment: Deployment) => deployment.compose("logs", "--no-log-prefix", "app");

const tagSlow = (deployment: Deployment) => deployment.tagImage("slow", SLOW);

/** A check that no request fails while something happens. */
const load = (deployment: Deployment, disturbance: () => Promise<unknown>) => async () => {
  const result = await underLoad(deployment.target, disturbance);
  expect(result.failures.length === 0, describeLoad(result));
  return describeLoad(result);
};

async function isReady({ target }: Deployment): Promise<boolean> {
  const client = new Client(target);
  const { status } = await client.get("health/ready");
  client.close();
  return status === 200;
}

async function checkUpgradeUnderLoad(versions: Versions, instances: 1 | 3): Promise<void> {
  const { deployment } = versions;
  const replace = instances === 1 ? () => deployment.up() : () => deployment.rollingUpdate();
  const named = `${instances} instance${instances === 1 ? "" : "s"}`;
  deployment.set({ APP_INSTANCES: String(instances) });
  await deployment.composeAsync("down", "--volumes");
  versions.tagPrevious();
  await deployment.up();
  const migrations = () => Number(query(deployment, "SELECT count(*) FROM _prisma_migrations"));
  const earlier = migrations();
  if (instances === 3) await checkMixedVersions(versions, migrations, earlier);
  await check(
    `${named}: upgraded under load`,
    load(deployment, async () => {
      versions.tagNext();
      await replace();
    }),
  );
  await check(`${named}: the migrations of the new version were applied`, async () => {
    expect(migrations() > earlier, "no migration was applied");
    return `${migrations() - earlier} migrations`;
  });
  await check(
    `${named}: rolled back to the previous version under load, on the new tables`,
    load(deployment, async () => {
      versions.tagPrevious();
      await replace();
    }),
  );
  await check(`${named}: the previous version says that the database is newer`, async () => {
    const log = appLogs(deployment);
    expect(log.includes("the database has migrations of a newer version"), log.slice(-500));
  });
  await check(
    `${named}: upgraded again`,
    load(deployment, async () => {
      versions.tagNext();
      await replace();
    }),
  );
}

/** @param migrations reads the number of applied migrations @param earlier their number in the previous version */
async function checkMixedVersions(versions: Versions, migrations: () => number, earlier: number): Promise<void> {
  const { deployment } = versions;
  await check(
    "under load, one of 3 instances is the new version and applies its migrations, the others are the previous version",
    load(deployment, async () => {
      versions.tagNext();
      const [, , third = ""] = deployment.containers("app");
      await deployment.dockerAsync("stop", third);
      await deployment.dockerAsync("rm", third);
      await deployment.composeAsync("up", "--detach", "--no-build", "--no-recreate", "--wait");
      expect(deployment.containers("app").length === 3, "not 3 instances");
      expect(migrations() > earlier, "no migration was applied");
    }),
  );
}

async function checkKillWithinMigration(versions: Versions): Promise<void> {
  const { deployment } = versions;
  await check(
    "killed within a migration: it is undone, the earlier version serves, and the upgrade is repeated",
    async () => {
      tagSlow(deployment);
      await deployment.composeAsync("up", "--detach", "--no-build");
      await poll(
        "the migration runs",
        60,
        () => query(deployment, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") === "1",
      );
      const [app = ""] = deployment.containers("app");
      await deployment.dockerAsync("kill", app);
      await poll(
        "its statement ends",
        SLEEP_SECONDS + 10,
        () =>
          columns(deployment, "slow") === "0" &&
          query(deployment, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") === "0",
      );
      versions.tagNext();
      await deployment.up();
      expect(await isReady(deployment), "the earlier version is not ready");
      tagSlow(deployment);
      await deployment.up();
      expect(columns(deployment, "slow") === "1", "the migration was not applied");
      expect(await isReady(deployment), "the new version is not ready");
    },
  );
}

async function checkKillsDuringStart(deployment: Deployment): Promise<void> {
  await check("killed during the start, several times: the next start completes", async () => {
    for (const waitMs of [200, 1_000, 2_500]) {
      const [app = ""] = deployment.containers("app");
      await deployment.dockerAsync("kill", app);
      await deployment.dockerAsync("start", app);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await deployment.dockerAsync("kill", app);
    }
    await deployment.up();
    expect(await isReady(deployment), "not ready");
  });
}

async function checkFailingMigration(deployment: Deployment): Promise<void> {
  await check(
    "a migration that fails: the start names it, nothing of it remains, and the earlier version serves",
    async () => {
      deployment.tagImage("broken", SLOW + BROKEN);
      await deployment.composeAsync("up", "--detach", "--no-build");
      await poll("the start names the migration", 60, () => appLogs(deployment).includes("99990101000000_broken"));
      expect(columns(deployment, "broken") === "0", "a column of the failed migration remains");
      tagSlow(deployment);
      await deployment.up();
      expect(await isReady(deployment), "the earlier version is not ready");
      return appLogs(deployment)
        .split("\n")
        .find((line) => line.includes("99990101000000_broken"));
    },
  );
}

async function checkFailingRollingUpdate(deployment: Deployment): Promise<void> {
  await check(
    "a version that does not start: the rolling update says why and removes it, and the earlier one serves",
    async () => {
      deployment.tagImage("broken", SLOW + BROKEN);
      const before = deployment.containers("app");
      const reason = await deployment.rollingUpdate().then(
        () => "it does not fail",
        (error: Error) => error.message,
      );
      expect(reason.includes("99990101000000_broken") && reason.includes("did not become ready"), reason);
      expect(deployment.containers("app").join() === before.join(), "the instances are others");
      expect(await isReady(deployment), "the earlier version is not ready");
      tagSlow(deployment);
      await deployment.rollingUpdate();
      expect(await isReady(deployment), "not ready after the rollback");
    },
  );
}
