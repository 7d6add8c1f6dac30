import { expect, it, vi } from "vitest";
import { databasePool } from "@/lib/db/client";
import { getAuthProviders } from "@/lib/features/auth-providers/operations/get-auth-providers";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { setUpTestDatabase } from "@/scripts/test-database";
import { call } from "./call";

vi.mock("next/headers", () => ({ headers: async () => new Headers() }));
// Outside a rendered page, React's own cache() remembers nothing.
vi.mock("react", () => ({
  cache: <Arguments extends unknown[], Result>(run: (...values: Arguments) => Result) => {
    const results: { values: Arguments; result: Result }[] = [];
    return (...values: Arguments): Result => {
      const known = results.find((entry) => entry.values.every((value, index) => value === values[index]));
      if (known) return known.result;
      const result = run(...values);
      results.push({ values, result });
      return result;
    };
  },
}));

setUpTestDatabase();

it("a page runs a query once for the same input, however often its parts call it", async () => {
  await call(getAuthProviders, {});
  const query = vi.spyOn(databasePool(), "query");
  const connect = vi.spyOn(databasePool(), "connect");
  const statements = () => query.mock.calls.length + connect.mock.calls.length;
  const first = await call(getAppConfig, {});
  const once = statements();
  expect(once).toBeGreaterThan(0);
  expect(await call(getAppConfig, {})).toBe(first);
  await call(getAuthProviders, {});
  expect(statements()).toBe(once);
});
