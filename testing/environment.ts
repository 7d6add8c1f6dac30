/** The administrator of each console of the tests. */
export const ADMIN = { email: "admin@slipway.test", password: "harbour-Lantern-42-quay" } as const;

/** The address of this worker's console, without a slash at its end. */
export function baseUrl(): string {
  return setting("E2E_BASE_URL");
}

/** The data folder of this worker's console; its mails are the `.eml` files in `outbox/`. */
export function dataDir(): string {
  return setting("E2E_DATA_DIR");
}

/** `postgresql://` URL of the database of this worker's console. */
export function databaseUrl(): string {
  return setting("E2E_DATABASE_URL");
}

/** The key of the consoles of the run. */
export function masterKey(): string {
  return setting("E2E_MASTER_KEY");
}

/** A variable of the environment that `template.ts` or `console.ts` sets. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; e2e/template.ts and e2e/console.ts set it before the tests`);
  return value;
}
