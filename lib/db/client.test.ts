import { beforeAll, expect, it, vi } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { databasePool, db, readRows } from "./client";
import { Prisma } from "./generated/client";

setUpTestDatabase();

interface Note {
  id: number;
  text: string;
  at: Date;
}

const notes = (id: number) => Prisma.sql`SELECT n.* FROM "Note" n WHERE n."id" = ${id} ORDER BY n."id"`;

beforeAll(async () => {
  await db.$executeRaw`CREATE TABLE "Note" ("id" int PRIMARY KEY, "text" text, "at" timestamptz(3))`;
  await db.$executeRaw`INSERT INTO "Note" VALUES (1, 'first', '2026-01-02T03:04:05.678Z')`;
});

it("reads rows as JSON holds them", async () => {
  const [row] = await readRows<Note>(db, notes(1), { keepPlan: true });
  expect(row).toMatchObject({ id: 1, text: "first" });
  expect(new Date(row?.at as string)).toEqual(new Date("2026-01-02T03:04:05.678Z"));
  expect(await readRows<Note>(db, notes(2), { keepPlan: false })).toEqual([]);
});

it("reads within a transaction what the transaction has written, and not from outside", async () => {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO "Note" VALUES (3, 'third', now())`;
    expect(await readRows<Note>(tx, notes(3), { keepPlan: true })).toMatchObject([{ id: 3, text: "third" }]);
    expect(await readRows<Note>(db, notes(3), { keepPlan: true })).toEqual([]);
  });
});

it("goes on with a kept plan when the table gets another column", async () => {
  await readRows<Note>(db, notes(1), { keepPlan: true });
  await db.$executeRaw`ALTER TABLE "Note" ADD COLUMN "more" text DEFAULT 'more'`;
  expect(await readRows<Note>(db, notes(1), { keepPlan: true })).toMatchObject([{ text: "first", more: "more" }]);
});

it("names a kept plan alike in every copy of the module", async () => {
  await readRows(db, notes(1), { keepPlan: true });
  vi.resetModules();
  const copy = await import("./client");
  expect(copy.readRows).not.toBe(readRows);
  expect(await copy.readRows(copy.db, Prisma.sql`SELECT 'other' AS "text"`, { keepPlan: true })).toEqual([
    { text: "other" },
  ]);
  expect(await readRows(db, notes(1), { keepPlan: true })).toMatchObject([{ text: "first" }]);
});

it("keeps a plan for a statement where it is told to, and for no more than 64 on a connection", async () => {
  for (let wish = 0; wish < 80; wish++) {
    await readRows(db, Prisma.sql`SELECT ${Prisma.raw(String(wish))} AS "wish"`, { keepPlan: true });
  }
  await readRows(db, Prisma.sql`SELECT 'not kept'`, { keepPlan: false });
  // The pool hands out next what it got back last.
  await readRows(db, notes(1), { keepPlan: true });
  const client = await databasePool().connect();
  try {
    const { rows } = await client.query<{ statement: string }>(
      `SELECT statement FROM pg_prepared_statements WHERE name <> ''`,
    );
    expect(rows.some(({ statement }) => statement.includes('"Note"'))).toBe(true);
    expect(rows.length).toBeLessThanOrEqual(64);
    expect(rows.some(({ statement }) => statement.includes("not kept"))).toBe(false);
  } finally {
    client.release();
  }
});
