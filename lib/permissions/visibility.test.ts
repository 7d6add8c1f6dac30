import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";
import { getAuthorizedEnvironments } from "@/lib/features/environments/operations/get-authorized-environments";
import { getNavigation } from "@/lib/features/navigation/operations/get-navigation";
import { searchConsole } from "@/lib/features/navigation/operations/search-console";
import { getTestingDeploysByApp } from "@/lib/features/releases/operations/get-testing-deploys-by-app";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestGrant } from "@/lib/testing/console";
import { anActor } from "@/lib/testing/grants";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import type { Grant } from "./actor";
import { scopesFor } from "./authorize";
import { SCOPES, type Scope } from "./scopes";
import { environmentSql, environmentWhere, sightOf, visibleAppSql } from "./visibility";

setUpTestDatabase();

interface Environment {
  id: string;
  appId: string;
  isActive: boolean;
}
interface App {
  appId: string;
  environments: Environment[];
}

/** Each environment has a release of this version. */
const VERSION = "7.31.7";

let apps: App[];
let orbit: App;
let comet: App;
let retired: App;

async function made(name: string, status: "active" | "inactive", statuses: ("active" | "inactive")[]): Promise<App> {
  const environments = statuses.map((of, index) => ({ name: `${name} ${index}`, status: of }));
  const identifier = `com.acme.${name.toLowerCase()}`;
  const { appId, environmentIds } = await anApp({ name, identifier, status, environments });
  const isActive = (index: number) => status === "active" && statuses[index] === "active";
  return { appId, environments: environmentIds.map((id, index) => ({ id, appId, isActive: isActive(index) })) };
}

beforeAll(async () => {
  orbit = await made("Orbit", "active", ["active", "inactive", "active"]);
  comet = await made("Comet", "active", ["active"]);
  retired = await made("Retired", "inactive", ["active", "inactive"]);
  apps = [orbit, comet, retired, await made("Fresh", "active", [])];
  await insertReleases();
});

/** Publishes a release in one environment and copies its row to all others, also to inactive ones. */
async function insertReleases(): Promise<void> {
  const environmentIds = apps.flatMap(({ environments }) => environments.map(({ id }) => id));
  const place = { identifier: "com.acme.orbit", environmentId: environmentIds[0] as string };
  const { id } = await aRelease(await aUser({ admin: true }), place, { version: VERSION });
  const release = await db.release.findUniqueOrThrow({ where: { id }, omit: { size: true } });
  const copies = environmentIds.slice(1).map((environmentId) => ({ ...release, id: newId(), environmentId }));
  await db.release.createMany({ data: copies as Prisma.ReleaseCreateManyInput[] });
}

const sorted = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
const byPrisma = async (where: object) => sorted(await db.environment.findMany({ where, select: { id: true } }));
const bySql = async (condition: Sql) =>
  sorted(
    await queryRows<{ id: string }>(
      db,
      sql`SELECT e."id" FROM "Environment" e JOIN "App" a ON a."id" = e."appId" WHERE ${condition}`,
    ),
  );

/** Grants for everything, and for whole apps and single environments of the database. */
const grantsArbitrary = () => {
  const environments = ({ environments: all }: App) => {
    if (all.length === 0) return fc.constant("all" as const);
    const some = fc.subarray(sorted(all), { minLength: 1 }).map((ids): ReadonlySet<string> => new Set(ids));
    return fc.oneof(fc.constant("all" as const), some);
  };
  const some = fc
    .subarray(apps)
    .chain((chosen) => fc.tuple(...chosen.map((app) => fc.tuple(fc.constant(app.appId), environments(app)))))
    .map((entries) => new Map(entries));
  const scopes = fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1, maxLength: 3 });
  const places = fc.oneof({ weight: 1, arbitrary: fc.constant("all" as const) }, { weight: 6, arbitrary: some });
  return fc.array(fc.record({ scopes, apps: places }), { maxLength: 3 }) as fc.Arbitrary<Grant[]>;
};

describe("the environments that an actor sees, for any grants and scope", () => {
  it("are the same for Prisma and in SQL, and follow from the check of rights", async () => {
    const all = apps.flatMap(({ environments }) => environments);
    const scopeArbitrary = fc.option(fc.constantFrom(...SCOPES), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(grantsArbitrary(), scopeArbitrary, async (grants, scope) => {
        const actor = anActor(grants);
        const sight = sightOf(actor, scope);
        const where = (rule: (held: Scope[], isActive: boolean) => boolean) =>
          sorted(
            all.filter(({ id, appId, isActive }) => rule(scopesFor(actor, { appId, environmentId: id }), isActive)),
          );
        const reaches = (held: Scope[]) => (scope ? held.includes(scope) : held.length > 0);
        const writes = (held: Scope[]) => held.includes("environment:write");
        const expected = {
          within: where(reaches),
          visible: where((held, isActive) => (isActive && reaches(held)) || writes(held)),
          readable: where((held, isActive) => reaches(held) && (isActive || writes(held))),
        };
        expect(await byPrisma(environmentWhere.within(sight.reached))).toEqual(expected.within);
        expect(await bySql(environmentSql.within(sight.reached))).toEqual(expected.within);
        expect(await byPrisma(environmentWhere.visible(sight))).toEqual(expected.visible);
        expect(await bySql(environmentSql.visible(sight))).toEqual(expected.visible);
        expect(await byPrisma(environmentWhere.readable(sight))).toEqual(expected.readable);
        expect(await bySql(environmentSql.readable(sight))).toEqual(expected.readable);
        const seen = apps.filter(
          ({ appId, environments }) =>
            writes(scopesFor(actor, { appId, environmentId: null })) ||
            environments.some(({ id }) => expected.visible.includes(id)),
        );
        const found = await queryRows<{ id: string }>(
          db,
          sql`SELECT a."id" FROM "App" a WHERE ${visibleAppSql(sight)}`,
        );
        expect(sorted(found)).toEqual(seen.map(({ appId }) => appId).sort());
      }),
    );
  });
});

describe("what a role shows", () => {
  const one = (app: App, ...indexes: number[]) => ({
    appId: app.appId,
    ...(indexes.length > 0 && { environmentIds: indexes.map((index) => app.environments[index]?.id as string) }),
  });

  it.each<[string, () => TestGrant[]]>([
    ["nothing", () => []],
    ["releases of one environment", () => [{ scopes: ["release:read"], apps: [one(orbit, 0)] }]],
    ["variables of an app", () => [{ scopes: ["dev-variable:read"], apps: [one(orbit)] }]],
    ["releases of everything", () => [{ scopes: ["release:read"] }]],
    ["activating one environment", () => [{ scopes: ["environment:write"], apps: [one(orbit, 1)] }]],
    [
      "activating an app, and reading releases of another",
      () => [
        { scopes: ["environment:write"], apps: [one(retired)] },
        { scopes: ["release:read"], apps: [one(comet)] },
      ],
    ],
    [
      "reading releases of what it activates",
      () => [{ scopes: ["environment:write", "release:read"], apps: [one(retired), one(orbit, 1, 2)] }],
    ],
  ])("is the same in lists, the navigation and the search: %s", async (_, grants) => {
    const caller = await aUser({ grants: grants() });
    const { body: list } = await send(getAuthorizedEnvironments, caller, { limit: 100 });
    const { body: navigation } = await send(getNavigation, caller, {});
    const inNavigation = navigation.apps.flatMap(({ environments }: App) => environments);
    expect(sorted(inNavigation)).toEqual(sorted(list.items));
    for (const [search, app] of [
      ["orbit", orbit],
      ["comet", comet],
      ["retired", retired],
    ] as const) {
      const { body: found } = await send(searchConsole, caller, { search });
      const ofApp = list.items.filter(({ appId }: Environment) => appId === app.appId);
      expect(sorted(found.environments), search).toEqual(sorted(ofApp));
      const shown = await send(getAppEnvironments, caller, { appId: app.appId });
      if (shown.status === 200) expect(sorted(shown.body.items)).toEqual(sorted(ofApp));
      else expect(ofApp).toEqual([]);
    }
    const releases = await Promise.all(
      apps.map(async ({ appId }) => (await send(getTestingDeploysByApp, caller, { appId })).body.items ?? []),
    );
    const { body: found } = await send(searchConsole, caller, { search: VERSION });
    expect(sorted(found.releases)).toEqual(sorted(releases.flat()));
  });
});
