import { beforeAll, expect, it } from "vitest";
import { AUDITED_LIMIT, callLimitOf, type Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { ANONYMOUS, aUser, send } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";
import { sampleOf } from "./testing/samples";

const limited = (Object.entries(operations) as [string, Operation][]).filter(([, operation]) => callLimitOf(operation));
setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

const ofKnown = limited.filter(([, operation]) => callLimitOf(operation)?.limit.by === "actor");
const ofAnonymous = limited.filter(([, operation]) => callLimitOf(operation)?.limit.by === "address");

it.each(ofAnonymous)(
  "%s refuses one well-formed call more than its limit, and counts no malformed one",
  async (key, operation) => {
    await db.rateLimit.deleteMany();
    expect((await send(operation, ANONYMOUS, { surprise: "1" } as never)).status).toBe(422);
    expect(await db.rateLimit.count()).toBe(0);
    const { name, limit } = callLimitOf(operation) as NonNullable<ReturnType<typeof callLimitOf>>;
    await db.rateLimit.create({
      data: { key: `${name}:unknown`, points: limit.points, expire: Date.now() + 60_000 },
    });
    const call = await sampleOf(operation).arrange(world);
    const { status, body } = await call(ANONYMOUS);
    expect([key, status, body?.code]).toEqual([key, 429, "rate_limited"]);
  },
);

it.each(ofKnown)("%s refuses one call more than its limit, also of calls that are refused", async (_key, operation) => {
  const call = async () => (await send(operation, world.admin, { surprise: "1" } as never)).status;
  const points = callLimitOf(operation)?.limit.points ?? 0;
  await db.rateLimit.deleteMany();
  expect(await call()).toBe(422);
  expect(await db.rateLimit.findMany({ select: { points: true } })).toEqual([{ points: 1 }]);
  await db.rateLimit.updateMany({ data: { points: points - 1 } });
  expect([await call(), await call()]).toEqual([422, 429]);
});

it("audited operations that declare no limit share one for each caller", async () => {
  await db.rateLimit.deleteMany();
  for (const key of ["apps/create-app", "config/create-role"] as const) {
    await send(operations[key], world.admin, { surprise: "1" } as never);
  }
  expect(await db.rateLimit.findMany({ select: { points: true } })).toEqual([{ points: 2 }]);
  await db.rateLimit.updateMany({ data: { points: AUDITED_LIMIT.points } });
  const refused = await send(operations["apps/create-app"], world.admin, { surprise: "1" } as never);
  expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  const other = await send(operations["apps/create-app"], await aUser({ admin: true }), { surprise: "1" } as never);
  expect(other.status).toBe(422);
});

it("a caller has a limit of records in a day, which counts changes that were made and no others", async () => {
  const daily = { startsWith: "audited-daily:" };
  const owner = await aUser({ admin: true });
  const create = (sender = owner) => send(operations["config/create-role"], sender, { name: `Role ${newId()}` });
  await db.rateLimit.deleteMany();
  expect((await create()).status).toBe(201);
  await send(operations["config/create-role"], owner, { surprise: "1" } as never);
  const { points } = await db.rateLimit.findFirstOrThrow({ where: { key: daily } });
  expect(points).toBe(1);
  await db.rateLimit.updateMany({ where: { key: daily }, data: { points: env.MAX_DAILY_CHANGES - 1 } });
  expect((await create()).status).toBe(201);
  const roles = await db.role.count();
  const { status, body, headers } = await create();
  expect([status, body.code]).toEqual([429, "rate_limited"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(86_000);
  expect(await db.role.count()).toBe(roles);
  expect((await create(await aUser({ admin: true }))).status).toBe(201);
});
