import { expect, it, vi } from "vitest";
import { findListed } from "./find-listed";

/** A list of so many rows, whose cursors are numbers. */
const aList = (rows: number) =>
  vi.fn(async ({ limit, cursor = "0" }: { limit: number; cursor?: string }) => {
    const next = Number(cursor) + limit;
    const items = Array.from({ length: Math.min(limit, rows - Number(cursor)) }, (_, index) => ({
      id: String(Number(cursor) + index),
    }));
    return { items, nextCursor: next < rows ? String(next) : null };
  });

it("a row is found on its page, and the pages after it are not read", async () => {
  const list = aList(1_000);
  expect(await findListed("250", list)).toEqual({ id: "250" });
  expect(list.mock.calls.map(([page]) => page.cursor)).toEqual([undefined, "100", "200"]);
});

it("a row that is gone is not found, and a long list is not read to its end", async () => {
  expect(await findListed("x", aList(150))).toBeNull();
  const long = aList(1_000_000);
  expect(await findListed("x", long)).toBeNull();
  expect(long).toHaveBeenCalledTimes(20);
});
