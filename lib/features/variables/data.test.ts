import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { readMatrix } from "@/lib/features/configuration/data/matrix";
import { VARIABLE_KINDS, variablesMatrixInput } from "@/lib/features/configuration/schema";
import { anApp } from "@/lib/testing/console";
import { blocksRead, statementsOf } from "@/lib/testing/plans";
import { setUpTestDatabase } from "@/scripts/test-database";
import { listVariables } from "./data";
import { variablesInput } from "./schema";

setUpTestDatabase();

const VARIABLES = 10_000;
/** More than any page reads; all variables are in several hundred blocks, and their shortest index has 60. */
const MAX_BLOCKS = 50;

let environmentId: string;

beforeAll(async () => {
  environmentId = (await anApp()).environmentIds[0] as string;
  for (const [table, value] of [
    ["DevVariable", `repeat('v', 100)`],
    ["SecureVariable", `convert_to(repeat('v', 200), 'UTF8')`],
  ]) {
    // Only one variable is inactive.
    await databasePool().query(
      `INSERT INTO "${table}" ("id", "environmentId", "name", "key", "value", "status", "version", "updatedAt")
       SELECT gen_random_uuid(), $1, 'Service ' || lpad(n::text, 6, '0'), 'KEY_' || lpad((3 * n)::text, 8, '0'), ${value},
         CASE n WHEN 77 THEN 'inactive' ELSE 'active' END::"Status", 1, now() - n * interval '1 minute'
       FROM generate_series(1, $2::int) n`,
      [environmentId, VARIABLES],
    );
  }
  await databasePool().query(
    `VACUUM (ANALYZE) "DevVariable", "SecureVariable", "DevVariableCount", "SecureVariableCount"`,
  );
});

describe.each(VARIABLE_KINDS)("a list of 10,000 variables (%s)", (kind) => {
  const list = (query: object) => listVariables(db, kind, variablesInput.parse({ environmentId, ...query }));

  it.each(["name", "-name", "key", "-key", "updatedAt", "-updatedAt"])(
    "reads only its page, sorted by %s",
    async (sort) => {
      const first = await list({ sort, limit: 100 });
      expect([first.rows.length, first.total]).toEqual([100, VARIABLES]);
      expect(await blocksRead(() => list({ sort }))).toBeLessThan(MAX_BLOCKS);
      expect(await blocksRead(() => list({ sort, cursor: first.nextCursor }))).toBeLessThan(MAX_BLOCKS);
    },
  );

  it("reads only the variables of a rare status, and counts none", async () => {
    const { rows, total } = await list({ status: "inactive" });
    expect([rows.length, total]).toEqual([1, 1]);
    expect(await blocksRead(() => list({ status: "inactive" }))).toBeLessThan(MAX_BLOCKS);
    expect((await list({ status: "active" })).total).toBe(VARIABLES - 1);
    expect(await blocksRead(() => list({ status: "active" }))).toBeLessThan(MAX_BLOCKS);
  });

  it("is compared one page of keys at a time, in three statements", async () => {
    const appId = "019a0000-0000-7000-8000-000000000000";
    const places = { compared: [environmentId], all: [environmentId] };
    const read = () => readMatrix(db, places, variablesMatrixInput.parse({ appId, kind, limit: 25 }));
    const { keys, entries, total, missing } = await read();
    expect([keys.length, entries.length, total, missing]).toEqual([25, 25, VARIABLES, 0]);
    expect(await statementsOf(read)).toHaveLength(3);
    // The number of keys is counted in their index.
    expect(await blocksRead(read)).toBeLessThan(MAX_BLOCKS * 6);
  });

  it("reads only what a search finds, by name or key", async () => {
    const [one] = (await list({ limit: 1 })).rows;
    for (const search of [one?.name, one?.key.toLowerCase()]) {
      const { rows, total } = await list({ search });
      expect([rows.map(({ id }) => id), total]).toEqual([[one?.id], 1]);
      expect(await blocksRead(() => list({ search }))).toBeLessThan(MAX_BLOCKS * 4);
    }
    expect((await list({ search: "service" })).totalIsAtLeast).toBe(true);
  });
});
