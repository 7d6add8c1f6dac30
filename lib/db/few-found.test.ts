import { expect, it } from "vitest";
import { setUpTestDatabase } from "@/scripts/test-database";
import { db } from "./client";
import { fewFound, longestWord, MAX_FEW } from "./few-found";
import { sql } from "./query";

setUpTestDatabase();

it("returns what is found once, and null if it is too much to look up", async () => {
  const found = (count: number) =>
    fewFound(db, sql`SELECT n::text AS "id" FROM generate_series(1, ${count}::int) n UNION ALL SELECT '1'`);
  expect(await found(0)).toEqual(["1"]);
  expect(await found(MAX_FEW - 1)).toHaveLength(MAX_FEW - 1);
  expect(await found(MAX_FEW)).toBeNull();
});

it("takes the longest word of a search", () => {
  expect(longestWord("  Ada of\tLovelace ")).toBe("Lovelace");
  expect(longestWord("one two")).toBe("one");
});
