import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { publicKeyText, vendorKeys } from "../lib/testing/license.ts";
import { createRunDir, startThrowawayPostgres } from "../scripts/throwaway-postgres.ts";
import { ADMIN } from "./environment.ts";
import { startInstance } from "./instance.ts";

/**
 * Starts what the tests need before the first one: the built server on a free port, with a database and a data folder of
 * its own that go after the last one. Tests find it through `environment.ts`.
 */
export default async function startServer(): Promise<() => Promise<void>> {
  // Playwright ends in order on SIGINT alone; the exit removes what was started.
  process.once("SIGTERM", () => process.exit(143));

  const runDir = await createRunDir();
  const dataDir = join(runDir, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres = await startThrowawayPostgres(runDir);
  const databaseUrl = await postgres.createDatabase({ empty: true });
  const emptyDatabaseUrl = await postgres.createDatabase({ empty: true });
  const masterKey = randomBytes(32).toString("base64");
  try {
    const server = await startInstance("server", {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      MASTER_KEY: masterKey,
      SETUP_ADMIN_EMAIL: ADMIN.email,
      SETUP_ADMIN_PASSWORD: ADMIN.password,
      LICENSE_PUBLIC_KEY: publicKeyText(vendorKeys.publicKey),
    });
    Object.assign(process.env, {
      E2E_BASE_URL: server.url,
      E2E_DATA_DIR: dataDir,
      E2E_DATABASE_URL: databaseUrl,
      E2E_EMPTY_DATABASE_URL: emptyDatabaseUrl,
      E2E_MASTER_KEY: masterKey,
    });
    return async () => {
      await server.stop();
      await postgres.destroy();
    };
  } catch (error) {
    await postgres.destroy();
    throw error;
  }
}
