import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { aUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { endSession, endSessions, passSecondFactor, slideSession } from "./sessions";

setUpTestDatabase();

describe("ending all sessions of a user", () => {
  it("ends one that is passing its second factor at the same time", async () => {
    const { userId, sessionId } = await aUser();
    const { ended } = await db.$transaction(async (tx) => {
      await passSecondFactor(tx, sessionId, new Date());
      const ended = db.$transaction((other) => endSessions(other, userId), LONG_TRANSACTION);
      await untilWaitingForLocks(1);
      return { ended };
    }, LONG_TRANSACTION);
    await ended;
    expect(await db.session.count({ where: { userId } })).toBe(0);
  });

  it("leaves no session that could pass a second factor", async () => {
    const { userId, sessionId } = await aUser();
    const { passed } = await db.$transaction(async (tx) => {
      await endSessions(tx, userId);
      const passed = db.$transaction((other) => passSecondFactor(other, sessionId, new Date()), LONG_TRANSACTION);
      passed.catch(() => {});
      await untilWaitingForLocks(1);
      return { passed };
    }, LONG_TRANSACTION);
    await expect(passed).rejects.toMatchObject({ code: "session_expired" });
    expect(await db.session.count({ where: { userId } })).toBe(0);
  });
});

describe("sliding a session", () => {
  it("never moves its end back, as the slower of two calls would", async () => {
    const { sessionId } = await aUser();
    const now = new Date();
    const slide = (at: Date) => db.$transaction((tx) => slideSession(tx, sessionId, at));
    const end = await slide(new Date(now.getTime() + 60_000));
    expect(await slide(now)).toBe(end);
  });

  it("fails as expired if it was ended in the meantime", async () => {
    const { sessionId } = await aUser();
    await db.$transaction((tx) => endSession(tx, sessionId));
    const slid = db.$transaction((tx) => slideSession(tx, sessionId, new Date()));
    await expect(slid).rejects.toMatchObject({ code: "session_expired" });
  });

  it("fails as expired if it is ended at the same time", async () => {
    const { sessionId } = await aUser();
    const { slid } = await db.$transaction(async (tx) => {
      await endSession(tx, sessionId);
      const slid = db.$transaction((other) => slideSession(other, sessionId, new Date()), LONG_TRANSACTION);
      slid.catch(() => {});
      await untilWaitingForLocks(1);
      return { slid };
    }, LONG_TRANSACTION);
    await expect(slid).rejects.toMatchObject({ code: "session_expired" });
  });
});
