import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aToken, aUser, send } from "@/lib/testing/console";
import { compareNames } from "@/lib/testing/lists";
import { aRelease } from "@/lib/testing/releases";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

setUpTestDatabase();

let world: World;

const LISTS = {
  "apps/get-apps": ["name", "identifier", "createdAt", "status", "lastReleaseAt"],
  "apps/get-environment-apps": ["name", "createdAt", "status"],
  "apps/get-development-variables": ["name", "key", "updatedAt", "status"],
  "auth/get-users": ["firstNames", "lastNames", "email", "createdAt", "lastSignInAt", "role", "provider", "status"],
  "config/get-api-tokens": ["createdAt", "name", "app", "environment", "validUntil", "lastUsedAt"],
  "config/get-platforms": ["name", "createdAt", "status"],
  "config/get-roles": ["name", "createdAt"],
  "permissions/get-role-permissions": ["createdAt", "role", "updatedAt"],
} as const;

beforeAll(async () => {
  world = await makeWorld();
  const { environmentId } = world;
  const at = new Date("2026-11-22T12:00:00Z");
  for (const [index, status] of (["active", "inactive", "active", "inactive"] as const).entries()) {
    // Two of each have the same value, so that the ID decides.
    const same = new Date(at.getTime() + Math.floor(index / 2) * 60_000);
    const user = await aUser({ status });
    const { appId, environmentIds } = await anApp();
    const [other] = environmentIds;
    await aToken({ appId, environmentId: other as string, scopes: ["release:read"] });
    await db.user.update({ where: { id: user.userId }, data: { lastSignInAt: index === 0 ? null : same } });
    await db.apiToken.updateMany({ where: { appId }, data: { lastUsedAt: index === 3 ? null : same } });
    await db.environment.create({ data: { id: newId(), appId: world.app.appId, name: `Other ${index}`, status } });
    await db.platform.create({ data: { id: newId(), name: `Platform ${index}`, kind: "other", status } });
    await db.devVariable.create({
      data: {
        id: newId(),
        environmentId,
        name: `Variable ${index}`,
        key: `KEY_${index}`,
        value: "value",
        status,
        version: 1,
        updatedAt: same,
      },
    });
    const role = await db.role.create({ data: { id: newId(), name: `Role ${index}` } });
    await db.rolePermission.create({ data: { id: newId(), roleId: role.id, scopes: ["release:read"], allApps: true } });
    if (index < 2) {
      const { identifier } = await db.app.findUniqueOrThrow({ where: { id: appId } });
      await aRelease(world.admin, { identifier, environmentId: other as string });
    }
    await db.app.update({ where: { id: appId }, data: { status } });
  }
});

const inputOf = (path: keyof typeof LISTS) => {
  if (path === "apps/get-environment-apps") return { appId: world.app.appId };
  return path === "apps/get-development-variables" ? { environmentId: world.environmentId } : {};
};

/** The IDs of all rows of a list, page by page. */
async function idsOf(path: keyof typeof LISTS, sort: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await send(operations[path], world.admin, {
      ...inputOf(path),
      sort,
      limit: 2,
      ...(cursor && { cursor }),
    } as never);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  } while (cursor);
  return ids;
}

describe.each(Object.entries(LISTS) as [keyof typeof LISTS, readonly string[]][])("%s", (path, sorts) => {
  it.each(sorts)("is paged by key in the order of %s, each row once, and in the opposite order", async (sort) => {
    const ascending = await idsOf(path, sort);
    expect(ascending.length).toBeGreaterThan(3);
    expect(new Set(ascending).size).toBe(ascending.length);
    expect(await idsOf(path, `-${sort}`)).toEqual(ascending.toReversed());
  });

  it("refuses a cursor with a value that the order does not have", async () => {
    for (const sort of sorts) {
      const cursor = btoa(encodeURIComponent(JSON.stringify([sort, "no such value", newId()])));
      const { status, body } = await send(operations[path], world.admin, { ...inputOf(path), sort, cursor } as never);
      if (status !== 200) expect([sort, status, body.errors?.[0]?.path]).toEqual([sort, 422, "cursor"]);
    }
  });
});

it("the applications are in the order of their latest releases, those without one at the end", async () => {
  const { body } = await send(operations["apps/get-apps"], world.admin, { sort: "-lastReleaseAt" });
  const dates = body.items.map(({ lastReleaseAt }: { lastReleaseAt: string | null }) => lastReleaseAt ?? "");
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(dates.filter(Boolean)).toHaveLength(2);
});

it("the users are in the order of their roles' names, and of their last sign-in, never first", async () => {
  const by = async (sort: string) => (await send(operations["auth/get-users"], world.admin, { sort, limit: 100 })).body;
  const roles = (await by("role")).items.map(({ role }: { role: { name: string } }) => role.name);
  expect(roles).toEqual(roles.toSorted(compareNames));
  const seen = (await by("lastSignInAt")).items.map((user: { lastSignInAt: string | null }) => user.lastSignInAt ?? "");
  expect(seen).toEqual([...seen].sort());
});

it("each operation with a period refuses one that ends before it begins", () => {
  const day = "2026-11-02";
  const inputs = Object.entries(operations).flatMap(([path, { input }]) => {
    if (!(input instanceof z.ZodObject)) return [];
    const { from, to }: Partial<Record<string, z.ZodType>> = input.shape;
    return from?.safeParse(day).success && to?.safeParse(day).success ? [{ path, input: input as z.ZodObject }] : [];
  });
  expect(inputs.map(({ path }) => path)).toContain("apps/get-builds");
  expect(inputs.length).toBeGreaterThanOrEqual(5);
  for (const { path, input } of inputs) {
    const places = ["appId", "environmentId"].filter((name) => Object.hasOwn(input.shape, name));
    const period = Object.fromEntries([...places.map((name) => [name, newId()]), ["from", day], ["to", "2026-11-01"]]);
    const { error } = input.safeParse(period);
    expect(error?.issues, path).toContainEqual(expect.objectContaining({ path: ["to"], message: "periodOrder" }));
  }
});
