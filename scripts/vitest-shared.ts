import { afterAll, vi } from "vitest";

const SINGLETON = /^slipway\./;
const values = globalThis as unknown as Record<symbol, unknown>;

function singletons(): symbol[] {
  return Object.getOwnPropertySymbols(globalThis).filter((key) => SINGLETON.test(Symbol.keyFor(key) ?? ""));
}

// The process ran other files before. Each file has modules, settings and a database connection of its own.
vi.resetModules();

afterAll(async () => {
  // A file that has not connected has not loaded the client either.
  if (values[Symbol.for("slipway.database")]) {
    const { closeDatabase } = await import("../lib/db/client.ts");
    await closeDatabase();
  }
  for (const key of singletons()) values[key] = undefined;
});
