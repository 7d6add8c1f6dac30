import "server-only";
import { join } from "node:path";
import { createFirstAdmin, hasSuperAdmin } from "@/lib/auth/first-admin";
import { hashPassword, requireGoodPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { newSetupLink } from "@/lib/auth/setup";
import { db } from "@/lib/db/client";
import { applyMigrations } from "@/lib/db/migrations";
import { startJobs } from "@/lib/jobs";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { env, SettingsError } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { log } from "@/lib/kernel/log";
import { requireMasterKeys } from "@/lib/keys/master-key-use";
import { storage, watchStorageSpace } from "@/lib/storage";

/** Makes the first SUPER_ADMIN from the settings, where there is none and they name one. */
async function adminFromSettings(): Promise<void> {
  const { SETUP_ADMIN_EMAIL: email, SETUP_ADMIN_PASSWORD: password } = env;
  if (!email || !password || (await hasSuperAdmin(db))) return;
  try {
    requireGoodPassword(password, [email, "slipway"]);
  } catch (error) {
    const reason = error instanceof ApiError ? error.issues[0]?.message : undefined;
    throw new SettingsError(`SETUP_ADMIN_PASSWORD: refused (${reason}); choose a longer, less common one`);
  }
  const passwordHash = await hashPassword(password);
  try {
    await db.$transaction((tx) =>
      createFirstAdmin(tx, { firstNames: "Admin", lastNames: "Slipway", email, passwordHash, locale: null }),
    );
    log.info("the first administrator was made from SETUP_ADMIN_EMAIL");
  } catch (error) {
    // Another instance that started at the same moment was first.
    if (!(error instanceof ApiError && error.code === "already_set_up")) throw error;
  }
}

/**
 * Brings a deployment up: settings checked, the store reached, migrations applied, shared keys made, the first
 * administrator made or the setup link printed, the jobs begun. Every instance runs it at its start; those that start together agree.
 * @throws SettingsError naming what is wrong
 */
export async function startConsole(): Promise<void> {
  log.level = env.LOG_LEVEL;
  masterKeys();
  await storage().prepare();
  // Before anything is written: an earlier run may have left the disk full.
  watchStorageSpace();
  await applyMigrations({
    connectionString: env.DATABASE_URL,
    directory: join(process.cwd(), "prisma", "migrations"),
    log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
  });
  await requireMasterKeys();
  await ensureServerKeys();
  await adminFromSettings();
  if (!(await hasSuperAdmin(db))) {
    const link = await db.$transaction((tx) => newSetupLink(tx, new Date()));
    // For the person at the terminal, and the only place where it is ever shown; so not through the redacting log.
    process.stdout.write(`\n  Set up Slipway here (once, within 24 hours):\n  ${link}\n\n`);
  }
  // Not waited for: the console answers while the queue sets itself up, and a queue that cannot start stops nothing else.
  void startJobs();
}
