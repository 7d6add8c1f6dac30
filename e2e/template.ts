import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { publicKeyText, vendorKeys } from "../lib/testing/license.ts";
import { ADMIN } from "../testing/environment.ts";
import { startInstance } from "../testing/instance.ts";
import { createRunDir, startThrowawayPostgres } from "../testing/throwaway-postgres.ts";

/**
 * Prepares what the consoles of a run have in common: a PostgreSQL, and in it the database of a console that has just started,
 * with its data folder. `console.ts` copies both for each console. They are removed after the last test.
 */
export default async function prepareTemplate(): Promise<() => Promise<void>> {
  // Playwright ends in order on SIGINT alone; the exit removes what was started.
  process.once("SIGTERM", () => process.exit(143));

  const runDir = await createRunDir();
  const dataDir = join(runDir, "template");
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres = await startThrowawayPostgres(runDir, { inMemory: true });
  try {
    const databaseUrl = await postgres.createDatabase({ empty: true });
    const settings = {
      MASTER_KEY: randomBytes(32).toString("base64"),
      SETUP_ADMIN_EMAIL: ADMIN.email,
      SETUP_ADMIN_PASSWORD: ADMIN.password,
      LICENSE_PUBLIC_KEY: publicKeyText(vendorKeys.publicKey),
      API_BEFORE_NEXT: process.env.API_BEFORE_NEXT ?? "",
    };
    const server = await startInstance("server-template", {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ...settings,
    });
    // A database with connections cannot be copied.
    await server.stop();
    Object.assign(process.env, {
      E2E_RUN_DIR: runDir,
      E2E_SUPERUSER_URL: postgres.superuserUrl,
      E2E_TEMPLATE_DATABASE_URL: databaseUrl,
      E2E_TEMPLATE_DATA_DIR: dataDir,
      E2E_SETTINGS: JSON.stringify(settings),
      E2E_MASTER_KEY: settings.MASTER_KEY,
    });
    return () => postgres.destroy();
  } catch (error) {
    await postgres.destroy();
    throw error;
  }
}
