import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { setUpTestDatabase } from "@/scripts/test-database";
import { flushReveals, REVEAL_WINDOW_MS, type RevealShare, recordReveal, stopReveals } from "./reveals";

setUpTestDatabase();

interface Memory {
  windows: Map<string, { startedAt: Date; reads: number; addresses: Set<string> }>;
  flush: NodeJS.Timeout | undefined;
}

const tokenId = newId();
const memory = () => processSingleton<Memory>("reveal-windows", () => ({ windows: new Map(), flush: undefined })).get();
const windows = () => [...memory().windows.values()];

type Record = Parameters<typeof recordReveal>[1];
const recorded: (RevealShare | null)[] = [];
const inTransaction: Record = async (share) => void recorded.push(await db.$transaction(share));

function read(record: Record = inTransaction, ip: string | null = null): Promise<void> {
  const environmentId = tokenId;
  const now = new Date();
  return recordReveal(
    { tokenId, identifier: "server", table: "SecureVariable", version: 1, environmentId, secrets: 1, ip, now },
    record,
  );
}

/** Ends the known windows, here and in the database, by an earlier start. */
async function endWindows(): Promise<void> {
  const startedAt = new Date(Date.now() - REVEAL_WINDOW_MS);
  for (const window of windows()) window.startedAt = startedAt;
  await db.revealWindow.updateMany({ data: { startedAt } });
}

/** Has the next flush begin, and waits for what it does. */
function afterFlush(expectation: () => unknown): Promise<unknown> {
  vi.advanceTimersByTime(1_000);
  return vi.waitFor(expectation, { timeout: 20_000 });
}

const countedReads = async () => (await db.revealWindow.findFirstOrThrow()).reads;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await stopReveals();
  await db.revealWindow.deleteMany();
  recorded.length = 0;
});

describe("the windows of reveals in memory", () => {
  it("are forgotten after their end, even if nothing was counted in them", async () => {
    await read();
    expect(windows()).toHaveLength(1);
    await endWindows();
    await afterFlush(() => expect(windows()).toEqual([]));
    expect(memory().flush).toBeUndefined();
  });

  it("keep counts that could not be written, which are written later", async () => {
    const warned = vi.spyOn(log, "warn");
    await read();
    await databasePool().query('ALTER TABLE "RevealWindow" RENAME TO "Unavailable"');
    await read();
    await afterFlush(() => expect(warned).toHaveBeenCalled());
    await databasePool().query('ALTER TABLE "Unavailable" RENAME TO "RevealWindow"');
    await afterFlush(async () => expect(await countedReads()).toBe(1));
  });

  it("keep counts that a refused call had taken after the window was forgotten", async () => {
    await read();
    await read(inTransaction, "192.0.2.1");
    await endWindows();
    const refused = read(async () => {
      await flushReveals();
      expect(windows()).toEqual([]);
      throw new Error("not recorded");
    });
    await expect(refused).rejects.toThrow("not recorded");
    expect(windows()).toMatchObject([{ reads: 1, addresses: new Set(["192.0.2.1"]) }]);
    await afterFlush(async () => expect(await countedReads()).toBe(1));
  });

  it("keep counts that a refused call had taken while another one began the next window", async () => {
    await read();
    await read();
    await endWindows();
    const refusal = Promise.withResolvers<void>();
    const refused = read(() => refusal.promise).catch((error) => error);
    await read(async (share) => {
      refusal.reject(new Error("not recorded"));
      await refused;
      await inTransaction(share);
    });
    await afterFlush(async () => expect(await countedReads()).toBe(1));
    expect(recorded.map((share) => share === null)).toEqual([false, false]);
  });

  it("are written and forgotten at the stop", async () => {
    await read();
    await read();
    await stopReveals();
    expect(await countedReads()).toBe(1);
    expect(memory()).toMatchObject({ windows: new Map(), flush: undefined });
  });
});
