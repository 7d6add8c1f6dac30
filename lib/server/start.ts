import "server-only";
import { join } from "node:path";
import { hasSuperAdmin } from "@/lib/auth/first-admin";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { newSetupLink } from "@/lib/auth/setup";
import { db, openConnections } from "@/lib/db/client";
import { applyMigrations } from "@/lib/db/migrations";
import { startJobs } from "@/lib/jobs";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { env, environmentVariables } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { doneWithin } from "@/lib/kernel/timeout";
import { requireMasterKeys } from "@/lib/keys/master-key-use";
import { smtpPortProblem } from "@/lib/mail/deliver";
import { startHeartbeat } from "@/lib/monitoring/instances";
import { allowBrowserUploads, storage, watchStorageSpace } from "@/lib/storage";
import { createAdminFromSettings } from "./admin-from-settings";
import { whenAvailable } from "./dependencies";
import { reportUnknownSettings } from "./unknown-settings";

/** How many database connections are open before the first request. */
const WARM_CONNECTIONS = 8;
/** How long the first request waits for the background jobs to start. */
const JOBS_START_TIMEOUT_MS = 5_000;

/**
 * Applies migrations, and creates shared keys and the first administrator.
 * @returns the setup link if there is no administrator
 */
async function prepareDatabase(): Promise<string | null> {
  await applyMigrations({
    connectionString: env.DATABASE_DIRECT_URL,
    directory: join(process.cwd(), "prisma", "migrations"),
    log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
  });
  await requireMasterKeys();
  await ensureServerKeys();
  const { SETUP_ADMIN_EMAIL: email, SETUP_ADMIN_PASSWORD: password } = env;
  if (email && password) await createAdminFromSettings({ email, password });
  if (await hasSuperAdmin(db)) return null;
  return db.$transaction((tx) => newSetupLink(tx, new Date()));
}

/**
 * Does what the first requests would otherwise wait for all at once: opens connections, and loads the query compiler of Prisma. The
 * requests that a proxy held during an update arrive together, while other instances start on the same machine.
 */
async function warmUp(): Promise<void> {
  await Promise.all([openConnections(WARM_CONNECTIONS), db.serverKey.count()]);
}

/**
 * Starts the console: checks the settings and the store, prepares the database, prints the setup link if there is no administrator,
 * and starts the jobs. While the store or the database is away, waits for it. Every instance runs it, also concurrently.
 * @param onWait called when the instance begins to wait
 * @throws SettingsError if a setting is invalid, or the store or the database is away for too long
 */
export async function startConsole(onWait: () => void): Promise<void> {
  log.level = env.LOG_LEVEL;
  // `npm start` reports the names in its .env itself.
  if (!env.SLIPWAY_LOCAL) reportUnknownSettings(environmentVariables());
  const mailProblem = env.SMTP_URL ? smtpPortProblem(env.SMTP_URL) : null;
  if (mailProblem) log.warn(mailProblem);
  masterKeys();
  await whenAvailable("store", () => storage().prepare(), { onWait });
  const uploadsAllowed = allowBrowserUploads();
  // Before the first write, because the disk may be full.
  watchStorageSpace();
  const setupLink = await whenAvailable("database", prepareDatabase, { onWait });
  // Shown nowhere else, so LOG_LEVEL must not hide it. Outside `npm start`, scripts/lib/json-output.mjs makes it a line of JSON.
  if (setupLink) process.stdout.write(`\n  Set up Slipway here: ${setupLink} (once, within 24 hours)\n\n`);
  await uploadsAllowed;
  startHeartbeat();
  await whenAvailable("database", warmUp, { onWait });
  // After this time, the console serves requests while the queues start, even if they cannot start.
  await doneWithin(startJobs(), JOBS_START_TIMEOUT_MS);
}
