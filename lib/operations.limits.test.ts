import { beforeAll, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { send } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

const limited = (Object.entries(operations) as [string, Operation][]).filter(([, { rateLimit }]) => rateLimit);
setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

it.each(limited)("%s refuses one call more than its limit, also of calls that are refused", async (_key, operation) => {
  const call = async () => (await send(operation, world.admin, { surprise: "1" } as never)).status;
  const points = operation.rateLimit?.points ?? 0;
  await db.rateLimit.deleteMany();
  expect(await call()).toBe(422);
  expect(await db.rateLimit.findMany({ select: { points: true } })).toEqual([{ points: 1 }]);
  await db.rateLimit.updateMany({ data: { points: points - 1 } });
  expect([await call(), await call()]).toEqual([422, 429]);
});
