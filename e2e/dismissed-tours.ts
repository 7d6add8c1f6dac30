import { Client } from "pg";
import { waitFor } from "../scripts/lib/processes.mjs";

const MIGRATION_TIMEOUT_MS = 60_000;

/**
 * Lets the guided tour be dismissed for all users of a console, now and later: it would appear above what other tests look at.
 * A server may answer before it has made the tables.
 */
export async function dismissTours(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const hasColumn = async () => {
      const { rows } = await client.query(
        `SELECT 1 FROM information_schema.columns WHERE table_name = 'User' AND column_name = 'tourDismissedAt'`,
      );
      return rows.length > 0;
    };
    await waitFor(hasColumn, { timeoutMs: MIGRATION_TIMEOUT_MS, everyMs: 100 });
    await client.query('ALTER TABLE "User" ALTER COLUMN "tourDismissedAt" SET DEFAULT now()');
    await client.query('UPDATE "User" SET "tourDismissedAt" = now() WHERE "tourDismissedAt" IS NULL');
  } finally {
    await client.end();
  }
}
