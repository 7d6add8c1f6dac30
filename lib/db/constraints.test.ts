import { expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { setUpTestDatabase } from "@/scripts/test-database";
import { db } from "./client";
import { isRowMissing, violatedColumn } from "./constraints";

setUpTestDatabase();

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail("it did not fail"),
    (error) => error,
  );

it("a violation of a unique index is reported with its column", async () => {
  const app = { name: "Acme", identifier: "com.example.acme" };
  await db.app.create({ data: { id: newId(), ...app } });
  const taken = await failure(db.app.create({ data: { id: newId(), ...app } }));
  expect([violatedColumn(taken), isRowMissing(taken)]).toEqual(["identifier", false]);
});

it("a row that does not exist is missing", async () => {
  const missing = await failure(db.app.update({ where: { id: newId() }, data: { name: "Acme" } }));
  expect([violatedColumn(missing), isRowMissing(missing)]).toEqual([null, true]);
});

it("other errors are neither", async () => {
  for (const error of [await failure(db.$queryRaw`SELECT 1/0`), new Error("P2002"), { code: "P2025" }, null]) {
    expect([violatedColumn(error), isRowMissing(error)]).toEqual([null, false]);
  }
});
