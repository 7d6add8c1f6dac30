import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { databasePool } from "@/lib/db/client";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

/** How the database orders two versions: negative, zero or positive. */
async function compare(pairs: [string, string][]): Promise<number[]> {
  const { rows } = await databasePool().query<{ order: number }>(
    `SELECT (version_order(a) > version_order(b))::int - (version_order(a) < version_order(b))::int AS "order"
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS pairs(a, b, position) ORDER BY position`,
    [pairs.map(([a]) => a), pairs.map(([, b]) => b)],
  );
  return rows.map(({ order }) => order);
}

function compareNumbers(a: bigint[], b: bigint[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index] ?? 0n, b[index] ?? 0n];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

const parts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 18n }), { minLength: 1, maxLength: 5 });
const smallParts = fc.array(fc.bigInt({ min: 0n, max: 3n }), { minLength: 1, maxLength: 4 });

describe("the order of versions", () => {
  it.each([
    ["1.10", "1.9", 1],
    ["1.9", "1.10", -1],
    ["2", "1.99.99", 1],
    ["1.0", "1", 0],
    ["1.0.0", "1.0.1", -1],
    ["01.2", "1.2", 0],
    ["10", "9", 1],
    ["0", "0.0", 0],
    ["v1.2", "1.2", 0],
    ["1.2.0-beta", "1.2", 0],
    ["1.2-rc2", "1.3", -1],
    ["", "0", 0],
    ["20261122093015123456789", "20261122093015123456788", 1],
    ["..", "0", 0],
  ])("%j against %j is %i", async (a, b, order) => {
    expect(await compare([[a, b]])).toEqual([order]);
  });

  it("is that of their parts as numbers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.tuple(parts, parts), fc.tuple(smallParts, smallParts)), { minLength: 1, maxLength: 50 }),
        async (pairs) => {
          const orders = await compare(pairs.map(([a, b]) => [a.join("."), b.join(".")]));
          expect(orders).toEqual(pairs.map(([a, b]) => compareNumbers(a, b)));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is one for all texts, whatever is in them", async () => {
    const text = fc.string({ unit: fc.constantFrom(..."0123456789.-+ab "), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(text, text, text), async ([a, b, c]) => {
        const [ab, ba, bc, ac, aa] = (await compare([
          [a, b],
          [b, a],
          [b, c],
          [a, c],
          [a, a],
        ])) as [number, number, number, number, number];
        expect([ab + ba, aa]).toEqual([0, 0]);
        if (ab >= 0 && bc >= 0) expect(ac).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 50 },
    );
  });
});
