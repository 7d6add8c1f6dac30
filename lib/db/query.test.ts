import { beforeAll, describe, expect, it, vi } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { databasePool, db } from "./client";
import { queryRows, raw, sql } from "./query";

/** The SQLSTATE of a canceled statement (PostgreSQL, appendix A). */
const QUERY_CANCELED = "57014";

setUpTestDatabase();

interface Note {
  id: number;
  text: string;
  at: Date;
}

const note = (id: number) => sql`SELECT n."id", n."text", n."at" FROM "Note" n WHERE n."id" = ${id}`;

beforeAll(async () => {
  await queryRows(db, sql`CREATE TABLE "Note" ("id" int PRIMARY KEY, "text" text, "at" timestamptz(3))`);
  await queryRows(db, sql`INSERT INTO "Note" VALUES (1, 'first', '2026-01-02T03:04:05.678Z')`);
});

describe("a row", () => {
  const values = sql`SELECT ${new Date("2026-01-02T03:04:05.678Z")}::timestamptz(3) AS "instant", NULL::text AS "none",
    9007199254740993::int8 AS "large", 1.5::float8 AS "fraction", 7::int AS "small", true AS "yes", '{a,b}'::text[] AS "list",
    '{"at":[1]}'::jsonb AS "json", '\\x00ff'::bytea AS "bytes", gen_random_uuid() IS NOT NULL AS "uuid"`;

  it("has the same values outside and inside a transaction, instants as Date and int8 as bigint", async () => {
    const outside = await queryRows<Record<string, unknown>>(db, values);
    const inside = await db.$transaction((tx) => queryRows<Record<string, unknown>>(tx, values));
    const plain = (rows: Record<string, unknown>[]) =>
      rows.map((row) => ({ ...row, bytes: Buffer.from(row.bytes as Uint8Array).toString("hex") }));
    expect(plain(outside)).toEqual(plain(inside));
    expect(plain(outside)).toEqual([
      {
        instant: new Date("2026-01-02T03:04:05.678Z"),
        none: null,
        large: 9007199254740993n,
        fraction: 1.5,
        small: 7,
        yes: true,
        list: ["a", "b"],
        json: { at: [1] },
        bytes: "00ff",
        uuid: true,
      },
    ]);
  });

  it("is visible only to its own transaction before the commit", async () => {
    await db.$transaction(async (tx) => {
      await queryRows(tx, sql`INSERT INTO "Note" VALUES (3, 'third', now())`);
      expect(await queryRows<Note>(tx, note(3))).toMatchObject([{ id: 3, text: "third" }]);
      expect(await queryRows<Note>(db, note(3))).toEqual([]);
    });
  });
});

describe("a prepared statement", () => {
  it("still works after a column is added to its table", async () => {
    await queryRows<Note>(db, note(1), { prepared: true });
    await queryRows(db, sql`ALTER TABLE "Note" ADD COLUMN "more" text DEFAULT 'more'`);
    expect(await queryRows<Note>(db, note(1), { prepared: true })).toMatchObject([{ id: 1, text: "first" }]);
  });

  it("still works after the collation or the type of a column changes", async () => {
    await queryRows<Note>(db, note(1), { prepared: true });
    await queryRows(db, sql`ALTER TABLE "Note" ALTER COLUMN "text" TYPE varchar(100) COLLATE "C"`);
    expect(await queryRows<Note>(db, note(1), { prepared: true })).toMatchObject([{ id: 1, text: "first" }]);
    expect(await queryRows<Note>(db, note(1), { prepared: true })).toMatchObject([{ id: 1, text: "first" }]);
  });

  it("is used inside a transaction too", async () => {
    const statement = sql`SELECT n."text" FROM "Note" n WHERE n."id" = ${1} AND n."text" <> ''`;
    const plans = sql`SELECT p."generic_plans" + p."custom_plans" AS "runs" FROM pg_prepared_statements p
      WHERE p."statement" = ${statement.text}`;
    const runs = await db.$transaction(async (tx) => {
      for (let turn = 0; turn < 3; turn++) await queryRows(tx, statement, { prepared: true });
      return queryRows<{ runs: bigint }>(tx, plans);
    });
    expect(runs).toEqual([{ runs: 3n }]);
  });

  it("has the same name in every copy of the module", async () => {
    await queryRows(db, note(1), { prepared: true });
    vi.resetModules();
    const copy = await import("./query");
    const { db: sameDatabase } = await import("./client");
    expect(copy.queryRows).not.toBe(queryRows);
    const other = copy.sql`SELECT 'other' AS "text"`;
    expect(await copy.queryRows(sameDatabase, other, { prepared: true })).toEqual([{ text: "other" }]);
    expect(await queryRows<Note>(db, note(1), { prepared: true })).toMatchObject([{ text: "first" }]);
  });

  it("is created for at most 64 texts per connection, and only if requested", async () => {
    for (let column = 0; column < 80; column++) {
      await queryRows(db, sql`SELECT ${raw(String(column))} AS "column"`, { prepared: true });
    }
    await queryRows(db, sql`SELECT 'not prepared'`);
    // The pool returns the most recently used connection.
    await queryRows(db, note(1), { prepared: true });
    const client = await databasePool().connect();
    try {
      const { rows } = await client.query<{ statement: string }>(
        `SELECT statement FROM pg_prepared_statements WHERE name <> ''`,
      );
      expect(rows.some(({ statement }) => statement.includes('"Note"'))).toBe(true);
      expect(rows.length).toBeLessThanOrEqual(64);
      expect(rows.some(({ statement }) => statement.includes("not prepared"))).toBe(false);
    } finally {
      client.release();
    }
  });
});

describe("the statement timeout", () => {
  const limit = sql`SELECT current_setting('statement_timeout') AS "limit"`;

  it("is 30 seconds, also in a transaction, unless the statement has its own limit", async () => {
    expect(await queryRows(db, limit)).toEqual([{ limit: "30s" }]);
    expect(await db.$transaction((tx) => queryRows(tx, limit))).toEqual([{ limit: "30s" }]);
    expect(await queryRows(db, limit, { timeoutMs: 600_000 })).toEqual([{ limit: "10min" }]);
    expect(await queryRows(db, limit)).toEqual([{ limit: "30s" }]);
  });

  it("cancels the statement and leaves the connections usable", async () => {
    const sleeping = queryRows(db, sql`SELECT pg_sleep(600)::text`, { timeoutMs: 50 });
    await expect(sleeping).rejects.toMatchObject({ code: QUERY_CANCELED });
    const slow = db.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 50`;
      await tx.$queryRaw`SELECT pg_sleep(600)::text`;
    });
    await expect(slow).rejects.toThrow(QUERY_CANCELED);
    expect(await queryRows(db, limit)).toEqual([{ limit: "30s" }]);
  });
});
