import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { setUpTestDatabase } from "@/scripts/test-database";
import { areMarked, consume, settleCounters } from "./rate-limit";

setUpTestDatabase();

const counter = (key: string) => ({ name: "test", limit: { points: 2, seconds: 60 }, key });
const pointsOf = async (key: string) => (await db.rateLimit.findUnique({ where: { key: `test:${key}` } }))?.points;

describe("a counter", () => {
  it("admits as many calls as its limit has points, also at once, and refuses the others until it ends", async () => {
    const calls = await Promise.allSettled(Array.from({ length: 5 }, () => consume(counter("at-once"))));
    expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    const { code, retryAfter } = await consume(counter("at-once")).catch((error) => error);
    expect(code).toBe("rate_limited");
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(60);
    await consume(counter("other"));
  });

  it("begins again once it has ended", async () => {
    for (let call = 0; call < 2; call += 1) await consume(counter("ended"));
    await db.rateLimit.update({ where: { key: "test:ended" }, data: { expire: Date.now() - 1 } });
    await consume(counter("ended"));
    expect(await pointsOf("ended")).toBe(1);
  });

  it("is removed, marked or reduced by one when calls are settled", async () => {
    await consume(counter("removed"));
    for (let call = 0; call < 2; call += 1) await consume(counter("reduced"));
    const marks = [counter("marked")];
    await settleCounters({ remove: counter("removed"), marks, takeBack: [counter("reduced")] });
    expect([await pointsOf("removed"), await pointsOf("reduced")]).toEqual([undefined, 1]);
    expect(await areMarked([counter("marked"), counter("removed")])).toEqual([true, false]);
  });
});
