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
  it("reports the end of the session once", async () => {
    const session = clock();
    now = START + IDLE - 1;
    await session.check();
    expect(onExpired).not.toHaveBeenCalled();
    now = START + IDLE;
    await session.check();
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("reports a session that ended before the page was loaded", async () => {
    const session = clock(START - 1);
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("refreshes the session of an active user in the second half of the idle time", async () => {
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

  it("does not refresh the session in the first half of the idle time", async () => {
    const session = clock();
    now = START + 1_800;
    session.noteActivity();
    await session.check();
    expect(refresh).not.toHaveBeenCalled();
  });

  it("does not refresh the session of an inactive user", async () => {
    const session = clock();
    now = START + 1_700;
    session.noteActivity();
    for (now = START + 1_801; now < START + IDLE; now += 60) await session.check();
    expect(refresh).not.toHaveBeenCalled();
    now = START + IDLE;
    await session.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("stops refreshing at the session's absolute limit", async () => {
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

  it("retries a failed refresh at a later check", async () => {
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

  it("does not start a second refresh during one", async () => {
    const session = clock();
    now = START + 2_000;
    session.noteActivity();
    await Promise.all([session.check(), session.check()]);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("continues if another tab has refreshed the session, by message or by the stored end", async () => {
    const notified = clock();
    notified.noteRenewal(START + 2 * IDLE);
    now = START + IDLE + 1;
    await notified.check();
    expect(onExpired).not.toHaveBeenCalled();

    const suspended = clock();
    notedExp.mockResolvedValue(START + 2 * IDLE);
    await suspended.check();
    expect(onExpired).not.toHaveBeenCalled();
    now = START + 2 * IDLE;
    await suspended.check();
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  it("never shortens the session because of an old message", async () => {
    const session = clock();
    session.noteRenewal(START + 1);
    now = START + 2;
    await session.check();
    expect(onExpired).not.toHaveBeenCalled();
  });
});
