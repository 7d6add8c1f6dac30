/** The administrator that the server of the tests makes at its start. */
export const ADMIN = { email: "admin@slipway.test", password: "harbour-Lantern-42-quay" } as const;

/** The address of the server under test, without a slash at its end. */
export function baseUrl(): string {
  return setting("E2E_BASE_URL");
}

/** The data folder of the server under test; its mails are the `.eml` files in `outbox/`. */
export function dataDir(): string {
  return setting("E2E_DATA_DIR");
}

/** `postgresql://` URL of the database of the server under test. */
export function databaseUrl(): string {
  return setting("E2E_DATABASE_URL");
}

/** `postgresql://` URL of a second database, in which there is nothing yet. */
export function emptyDatabaseUrl(): string {
  return setting("E2E_EMPTY_DATABASE_URL");
}

/** The key of the server under test, for a second one beside it. */
export function masterKey(): string {
  return setting("E2E_MASTER_KEY");
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; e2e/server.ts sets it before the tests`);
  return value;
}
