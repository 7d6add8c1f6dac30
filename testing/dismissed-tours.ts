import { Client } from "pg";

/** Lets the guided tour be dismissed for all users of a console, now and later: it would appear above what other tests look at. */
export async function dismissTours(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('ALTER TABLE "User" ALTER COLUMN "tourDismissedAt" SET DEFAULT now()');
  await client.query('UPDATE "User" SET "tourDismissedAt" = now() WHERE "tourDismissedAt" IS NULL');
  await client.end();
}
