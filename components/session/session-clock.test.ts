import { beforeEach, describe, expect, it, vi } from "vitest";
import { SessionClock } from "./session-clock";

const IDLE = 3_600;
const START = 1_800_000_000;

let now: number;
const refresh = vi.fn<() => Promise<number | null>>();
const notedExp = vi.fn<() => Promise<number | undefined>>();
const onRenewed = vi.fn();
const onExpired = vi.fn();

beforeEach(() => {
  vi.resetAllMocks();
  now = START;
  refresh.mockImplementation(async () => now + IDLE);
  notedExp.mockResolvedValue(undefined);
});

function clock(exp = START + IDLE): SessionClock {
  return new SessionClock({ exp, idleSeconds: IDLE, now: () => now, refresh, notedExp, onRenewed, onExpired });
}

describe("SessionClock", () => {
  it("ends the session once its end has come, and says so once", async () => {
    const session = clock();
    now = START + IDLE - 1;
    await session.check();
    expect(onExpired).not.toHaveBeenCalled();
    now = START + IDLE;
    await session.check();
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("ends a session that was over before the page came up", async () => {
    const session = clock(START - 1);
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("keeps the session of an active person alive in the second half of the idle time", async () => {
    const session = clock();
    now = START + 1_801;
    session.noteActivity();
    await session.check();
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(onRenewed).toHaveBeenCalledWith(START + 1_801 + IDLE);
    now = START + IDLE + 1;
    await session.check();
    expect(onExpired).not.toHaveBeenCalled();
  });

  it("leaves the session alone in the first half, however active the person is", async () => {
    const session = clock();
    now = START + 1_800;
    session.noteActivity();
    await session.check();
    expect(refresh).not.toHaveBeenCalled();
  });

  it("does not keep the session alive for a person who has gone away", async () => {
    const session = clock();
    now = START + 1_700;
    session.noteActivity();
    for (now = START + 1_801; now < START + IDLE; now += 60) await session.check();
    expect(refresh).not.toHaveBeenCalled();
    now = START + IDLE;
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("asks no more once a refresh has moved nothing, as at the session's absolute limit", async () => {
    const limit = START + IDLE + 600;
    refresh.mockResolvedValue(limit);
    const session = clock();
    for (now = START + 2_700; now < limit; now += 60) {
      session.noteActivity();
      await session.check();
    }
    expect(refresh).toHaveBeenCalledTimes(2);
    now = limit;
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("asks again a while later when a refresh did not work", async () => {
    refresh.mockResolvedValueOnce(null);
    const session = clock();
    now = START + 2_000;
    session.noteActivity();
    await session.check();
    expect(onRenewed).not.toHaveBeenCalled();
    now += 60;
    await session.check();
    expect(onRenewed).toHaveBeenCalledTimes(1);
  });

  it("asks once while a refresh is under way", async () => {
    const session = clock();
    now = START + 2_000;
    session.noteActivity();
    await Promise.all([session.check(), session.check()]);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("goes on when another tab has kept the session alive, told or found out", async () => {
    const told = clock();
    told.noteRenewal(START + 2 * IDLE);
    now = START + IDLE + 1;
    await told.check();
    expect(onExpired).not.toHaveBeenCalled();

    const asleep = clock();
    notedExp.mockResolvedValue(START + 2 * IDLE);
    await asleep.check();
    expect(onExpired).not.toHaveBeenCalled();
    now = START + 2 * IDLE;
    await asleep.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("never shortens the session by an old message of another tab", async () => {
    const session = clock();
    session.noteRenewal(START + 1);
    now = START + 2;
    await session.check();
    expect(onExpired).not.toHaveBeenCalled();
  });
});
