import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { aRole, aUser, send, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { blocksRead } from "@/lib/testing/plans";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getUsers } from "./get-users";

setUpTestDatabase();

const SORTS = ["firstNames", "role", "provider", "status", "lastSignInAt"];

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

/** Adds users of two roles, of whom most never signed in. */
function addUsers(count: number, roleIds: readonly string[]) {
  return databasePool().query(
    `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "status", "lastSignInAt", "updatedAt")
     SELECT gen_random_uuid(), 'User', 'Name', gen_random_uuid() || '@example.test', ($1::uuid[])[1 + n % 2], 'email',
       'active', CASE WHEN n % 5 = 0 THEN now() - n * interval '1 minute' END, now() FROM generate_series(1, $2::int) n`,
    [roleIds, count],
  );
}

/** The cursor of the page that follows the user in the middle of an order. */
async function middleOf(sort: string): Promise<string> {
  const field = sort.replace(/^-/, "");
  const by = field === "role" ? { role: { name: "asc" as const } } : { [field]: "asc" as const };
  const orderBy = [field === "lastSignInAt" ? { lastSignInAt: { sort: "asc" as const, nulls: "first" as const } } : by];
  const row = await db.user.findFirstOrThrow({
    orderBy: [...orderBy, { id: "asc" }],
    skip: Math.floor((await db.user.count()) / 2),
    include: { role: true },
  });
  const value = field === "role" ? row.role.name : row[field as "firstNames"];
  return btoa(encodeURIComponent(JSON.stringify([sort, value, row.id])));
}

describe("a list of users", () => {
  it("reads the first page and one in the middle from an index in each order, however many users there are", async () => {
    const roleIds = [await aRole(), await aRole()];
    const cost = async () => {
      await databasePool().query('VACUUM (ANALYZE) "User"');
      const read = (input: Record<string, string>) => blocksRead(() => send(getUsers, admin, input));
      const costs: Record<string, number> = {};
      for (const sort of SORTS.flatMap((field) => [field, `-${field}`])) {
        costs[sort] = await read({ sort });
        costs[`${sort}, in the middle`] = await read({ sort, cursor: await middleOf(sort) });
      }
      return costs;
    };
    await addUsers(1_000, roleIds);
    const few = await cost();
    await addUsers(9_000, roleIds);
    const many = await cost();
    for (const [page, blocks] of Object.entries(many)) {
      expect(blocks, page).toBeLessThan(2 * (few[page] as number));
    }
  }, 60_000);

  it("reads few blocks for a search whose results come late in the order", async () => {
    await databasePool().query(
      `UPDATE "User" SET "firstNames" = 'Zoe' WHERE "firstNames" = 'User' AND "id"::text < '2'`,
    );
    await databasePool().query('VACUUM (FULL, ANALYZE) "User"');
    const { rows } = await databasePool().query(`SELECT relpages FROM pg_class WHERE relname = 'User'`);
    const { relpages } = rows[0] as { relpages: number };
    expect((await send(getUsers, admin, { search: "zoe" })).body).toMatchObject({ total: 1_000, totalIsAtLeast: true });
    // Those with the name are together in the index of first names: they cost no more than a page does.
    const blocks = (search: string, filter: object) => blocksRead(() => send(getUsers, admin, { search, ...filter }));
    for (const sort of ["firstNames", "-firstNames"]) {
      for (const filter of [{ sort }, { sort, status: "active" }]) {
        const expected = (await blocks("nobody", filter)) + relpages;
        expect(await blocks("zoe", filter), JSON.stringify(filter)).toBeLessThan(expected);
      }
    }
  });

  it("finds the same by the beginning of first names and elsewhere as in all that is searched", async () => {
    const firstNames = [
      "Radia",
      "radia",
      "RÁDIA",
      "Radiana",
      "Eva Radia",
      "Xradia",
      "1radia",
      "\u0001radia",
      "Радия",
      "rad",
    ];
    const others = ["Perlman", "Radia", "radia.radia", "xradia", "radiax", "radi", "adia", "Радия"];
    const roleId = await aRole();
    await databasePool().query(
      `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "team", "roleId", "provider", "updatedAt")
       SELECT gen_random_uuid(), f, l, e || gen_random_uuid() || '@example.test', CASE WHEN n % 3 = 0 THEN l END, $3, 'email', now()
       FROM unnest($1::text[]) f CROSS JOIN unnest($2::text[]) l
         CROSS JOIN unnest(ARRAY['radia', 'grace', 'eva']) WITH ORDINALITY e (e, n)`,
      [firstNames, others.map((name, index) => `${name}${index}`), roleId],
    );
    for (const search of ["radia", "RADIA", "adia", "rad", "eva", "grace", "perlman"]) {
      const { rows } = await databasePool().query<{ id: string }>(
        `SELECT "id" FROM "User" WHERE "roleId" = $1 AND "searchText" LIKE '%' || lower($2) || '%'`,
        [roleId, search],
      );
      const expected = rows.map(({ id }) => id).sort();
      expect(expected.length).toBeGreaterThan(0);
      for (const sort of ["firstNames", "-firstNames"]) {
        const { pages } = await readPages(getUsers, admin, { search, roleId, sort, limit: 100 });
        const found = pages.flat();
        expect(found.map(({ id }) => id as string).sort(), `${search} by ${sort}`).toEqual(expected);
        expect(found, `${search} by ${sort}`).toEqual(inOrder(found, sort));
      }
    }
  }, 60_000);

  it.each(["firstNames", "-firstNames", "email", "-lastSignInAt"])(
    "finds each user once over all pages in the order of %s",
    async (sort) => {
      const { pages } = await readPages(getUsers, admin, { search: "zoe", sort, limit: 100 });
      const found = await db.user.findMany({ where: { firstNames: "Zoe" }, select: { id: true } });
      const ids = pages.flat().map(({ id }) => id as string);
      expect(ids.toSorted()).toEqual(found.map(({ id }) => id).toSorted());
      if (sort !== "-lastSignInAt") expect(pages.flat()).toEqual(inOrder(pages.flat(), sort));
    },
    30_000,
  );

  it("begins with those who never signed in, and goes on over all pages", async () => {
    const roleId = await aRole();
    const dates = [null, new Date("2026-01-01T00:00:00Z"), null, new Date("2025-01-01T00:00:00Z")];
    for (const [index, lastSignInAt] of dates.entries()) {
      const email = `${newId()}@signed.test`;
      const data = { id: newId(), firstNames: `${index}`, lastNames: "Name", email, provider: "email" as const };
      await db.user.create({ data: { ...data, roleId, lastSignInAt } });
    }
    const { pages } = await readPages(getUsers, admin, { roleId, sort: "lastSignInAt", limit: 1 });
    const names = pages.flat().map(({ firstNames }) => firstNames);
    expect(names.slice(0, 2).sort()).toEqual(["0", "2"]);
    expect(names.slice(2)).toEqual(["3", "1"]);
  });
});
