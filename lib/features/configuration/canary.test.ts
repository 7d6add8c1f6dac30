import { beforeAll, expect, it, vi } from "vitest";
import { isAudited, type Operation, pathOf } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { log } from "@/lib/kernel/log";
import { operations } from "@/lib/operations";
import { send } from "@/lib/testing/console";
import { sampleOf } from "@/lib/testing/samples";
import { aKey, aVariable } from "@/lib/testing/variables";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

const CANARY = "canary-of-a-secure-value-4e0d";
/** Whether an operation is recorded as a reveal: its answer may have secrets. */
const isReveal = (operation: Operation) => operation.method === "GET" && isAudited(operation);

let world: World;
const logged: unknown[] = [];

beforeAll(async () => {
  world = await makeWorld();
  for (const level of ["debug", "info", "warn", "error"] as const) {
    vi.spyOn(log, level).mockImplementation((...args: unknown[]) => {
      logged.push(args);
    });
  }
});

/** A text of anything, bytes as texts too. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part) =>
    part instanceof Error ? `${part.stack} ${JSON.stringify(part.cause)}` : part,
  );
}

it("a secure value is in no answer but a reveal, in no record, no log line and no column of the database", async () => {
  const { environmentId, verifiedAdmin: admin, app } = world;
  const value = (name: string) => `${CANARY} ${name}`;
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) {
    const { id } = await aVariable("secure-variable", admin, { environmentId, value: value(name) });
    ids.push(id);
  }
  const [one, two, three] = ids;
  const answers: [string, unknown][] = [];
  const call = async (name: keyof typeof operations, input: Record<string, unknown>) => {
    const { status, body } = await send(operations[name] as Operation, admin, input);
    answers.push([name, body]);
    return status;
  };
  expect(await call("apps/create-secure-variable", { environmentId, name: "N", key: aKey(), value: value("x") })).toBe(
    201,
  );
  expect(await call("apps/create-secure-variable", { environmentId, name: "", key: "?", value: value("x") })).toBe(422);
  expect(await call("apps/update-secure-variable", { id: one, value: value("new") })).toBe(200);
  expect(await call("apps/update-secure-variable", { id: two, key: aKey() })).toBe(200);
  const file = { environmentId, kind: "secure-variable", format: "dotenv", mode: "merge" };
  expect(await call("apps/import-variables", { ...file, text: `A='${value("a")}'\nB='${value("b")}'` })).toBe(200);
  expect(await call("apps/import-variables", { ...file, text: `A='${value("a")}' ${CANARY}\n${CANARY} = 1` })).toBe(
    200,
  );
  expect(await call("apps/import-variables", { ...file, format: "json", text: `{"A": "${CANARY}"` })).toBe(200);
  expect(await call("apps/import-variables", { ...file, format: "yaml", text: `A: "${CANARY}\nB: [` })).toBe(200);
  expect(await call("apps/restore-configuration", { environmentId, version: 3 })).toBe(200);
  expect(await call("apps/get-configuration-diff", { environmentId, from: 1, to: "current" })).toBe(200);
  expect(await call("apps/get-configuration-diff", { environmentId, from: 3, to: 6 })).toBe(200);
  expect(await call("apps/get-configuration-versions", { environmentId })).toBe(200);
  expect(await call("apps/get-secure-variables", { environmentId, limit: 100 })).toBe(200);
  expect(await call("apps/get-variables-matrix", { appId: app.appId, kind: "secure-variable" })).toBe(200);
  // A value that does not open fails in the log too.
  await db.secureVariable.update({ where: { id: three }, data: { value: Buffer.alloc(200, 1) } });
  expect(await call("apps/get-secure-variable", { id: three })).toBe(500);
  await db.secureVariable.delete({ where: { id: three } });

  for (const operation of Object.values(operations) as Operation[]) {
    if (isReveal(operation)) continue;
    const sendSample = await sampleOf(operation).arrange(world);
    answers.push([pathOf(operation), (await sendSample()).body]);
  }
  expect(answers.filter(([, body]) => textOf(body ?? null).includes(CANARY)).map(([name]) => name)).toEqual([]);
  expect(textOf(logged)).not.toContain(CANARY);

  const tables = await queryRows<{ name: string }>(
    db,
    sql`SELECT "table_name" AS "name" FROM information_schema.tables
        WHERE "table_schema" = 'public' AND "table_type" = 'BASE TABLE'`,
  );
  // As a text, a row has its bytes in hex.
  const forms = [CANARY, Buffer.from(CANARY).toString("hex")];
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await queryRows(
      db,
      sql`SELECT 1 FROM ${raw(`"${name}"`)} "row" WHERE "row"::text LIKE ANY (${forms.map((form) => `%${form}%`)}) LIMIT 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  expect(found).toEqual([]);
}, 240_000);
