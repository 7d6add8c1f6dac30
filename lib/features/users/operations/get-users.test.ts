import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { aUser, send, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getUsers } from "./get-users";

setUpTestDatabase();

let admin: TestUser;
let grace: TestUser;
const PAGED = 7;

beforeAll(async () => {
  admin = await aUser({ admin: true, passwordHash: "hash-canary" });
  grace = await aUser();
  await db.user.update({
    where: { id: grace.userId },
    data: { firstNames: "Grace Brewster", lastNames: "Hopper", team: "Compilers_1", provider: "github" },
  });
  // Some share a name and a time, so that the order depends on the ID.
  for (let index = 0; index < PAGED; index++) {
    const { userId } = await aUser({ status: index % 2 ? "inactive" : "active" });
    await db.user.update({
      where: { id: userId },
      data: {
        firstNames: `Paged ${Math.floor(index / 3)}`,
        lastNames: `Same ${index % 2}`,
        createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2))),
      },
    });
  }
});

const ids = async (input: Record<string, unknown>): Promise<string[]> =>
  (await send(getUsers, admin, input)).body.items.map(({ id }: { id: string }) => id);

describe("get-users", () => {
  it("returns all users without their credentials", async () => {
    const { body } = await send(getUsers, admin, {});
    expect(body.total).toBe(PAGED + 2);
    const own = body.items.find(({ id }: { id: string }) => id === admin.userId);
    expect(own).toMatchObject({ email: admin.email, role: { name: "SUPER_ADMIN" }, invited: false });
    expect(JSON.stringify(body)).not.toContain("hash-canary");
  });

  it("finds by names, e-mail and team, ignoring case and accents, with each word in any column", async () => {
    for (const search of ["grace", "HOPPER", "hopper grace", grace.email, "compilers", "rews opp"]) {
      expect(await ids({ search }), search).toEqual([grace.userId]);
    }
    for (const search of ["grace lovelace", "%", "Compilers%", "GraceHopper"]) {
      expect(await ids({ search }), search).toEqual([]);
    }
    await db.user.update({ where: { id: grace.userId }, data: { team: "Émile\\Équipe Compilers_1" } });
    for (const search of ["émile", "ÉQUIPE", "grace équipe", "Émile\\", "emile equipe"]) {
      expect(await ids({ search }), search).toEqual([grace.userId]);
    }
    expect(await ids({ search: "Compilers_1" })).toEqual([grace.userId]);
    expect(await ids({ search: "CompilersX1" })).toEqual([]);
  });

  it("filters by status, role and provider, alone and together", async () => {
    expect((await ids({ status: "inactive" })).length).toBe(Math.floor(PAGED / 2));
    expect(await ids({ roleId: grace.roleId })).toEqual([grace.userId]);
    expect(await ids({ provider: "github" })).toEqual([grace.userId]);
    expect(await ids({ provider: "github", status: "inactive" })).toEqual([]);
    expect(await ids({ provider: "github", roleId: grace.roleId, status: "active", search: "hop" })).toEqual([
      grace.userId,
    ]);
  });

  it.each(["firstNames", "-firstNames", "lastNames", "-lastNames", "email", "-createdAt", "createdAt"])(
    "returns each user once over all pages in the order of %s",
    async (sort) => {
      const { pages, totals } = await readPages(getUsers, admin, { search: "Paged", sort, limit: 2 });
      expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1]);
      expect(new Set(totals)).toEqual(new Set([PAGED]));
      expect(pages.flat()).toEqual(inOrder(pages.flat(), sort));
    },
  );

  it.each([
    ["sort", { sort: "passwordHash" }],
    ["status", { status: "deleted" }],
    ["provider", { provider: "facebook" }],
    ["roleId", { roleId: "SUPER_ADMIN" }],
    ["limit", { limit: 101 }],
    ["cursor", { cursor: "made up" }],
  ])("reports that %s is invalid", async (path, input) => {
    const answer = await send(getUsers, admin, input);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });

  it("is only for administrators", async () => {
    expect((await send(getUsers, grace, {})).status).toBe(403);
  });
});
