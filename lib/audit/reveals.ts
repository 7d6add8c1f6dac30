import "server-only";
import { type Db, db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { type Changes, writeAudit } from "./write";

/** For how long the reads after a recorded one are counted instead of recorded, in milliseconds. */
export const REVEAL_WINDOW_MS = 60_000;

/** How long counts stay in memory at most; they are lost if the process is killed. */
const FLUSH_INTERVAL_MS = 1_000;

/** How long after its end a window waits for the counts of other instances. */
const SETTLE_MS = 15_000;

/** At most this many addresses are named in a record. */
const MAX_ADDRESSES = 20;

/** Secrets of an environment's configuration that an API token reads. */
export interface Reveal {
  tokenId: string;
  /** Which of the token's identifiers the caller presented. */
  identifier: string;
  /** The table of the secrets. */
  table: string;
  /** The version of the configuration. */
  version: number;
  environmentId: string;
  /** How many secrets are revealed. */
  secrets: number;
  ip: string | null;
  now: Date;
}

/** What the audit record of a reveal says. */
export interface RevealShare {
  recordId: string;
  changes: Changes;
}

type WindowId = Pick<Reveal, "tokenId" | "table" | "version" | "environmentId">;

/** A window as this process knows it. */
interface KnownWindow {
  id: WindowId;
  startedAt: Date;
  /** Reads that are not in the database yet, and where they came from. */
  reads: number;
  addresses: Set<string>;
}

const known = processSingleton("reveal-windows", () => ({
  windows: new Map<string, KnownWindow>(),
  flush: undefined as NodeJS.Timeout | undefined,
}));

function keyOf({ tokenId, table, version }: WindowId): string {
  return `${tokenId} ${table} ${version}`;
}

/**
 * Whether a window is open. One that began a little later is: another instance or a simultaneous call began it. One that begins far
 * in the future was begun by a clock that was ahead, and would be open until then.
 */
function isOpen({ startedAt }: { startedAt: Date }, now: Date): boolean {
  return Math.abs(now.getTime() - startedAt.getTime()) < REVEAL_WINDOW_MS;
}

function addAddress({ addresses }: KnownWindow, ip: string): void {
  if (addresses.size < MAX_ADDRESSES) addresses.add(ip);
}

function count(window: KnownWindow, ip: string | null): void {
  window.reads += 1;
  if (ip !== null) addAddress(window, ip);
}

/** Flushes after `FLUSH_INTERVAL_MS`, and again while any window is known: counts that failed to be written are retried. */
function scheduleFlush(): void {
  const state = known.get();
  state.flush ??= setTimeout(async () => {
    try {
      await flushReveals();
    } catch (error) {
      log.warn({ err: error }, "counts of reveals could not be written");
    }
    state.flush = undefined;
    if (state.windows.size > 0) scheduleFlush();
  }, FLUSH_INTERVAL_MS).unref();
}

/** The addresses of two lists, as many as are named. */
const merged = (one: Sql, other: Sql) => sql`ARRAY(SELECT DISTINCT unnest(${one} || ${other}) LIMIT ${MAX_ADDRESSES})`;

/** Takes the counts that are in memory; they are given back where they cannot be written. */
function takeCounts(window: KnownWindow): { reads: number; addresses: string[]; giveBack(): void } {
  const { reads, addresses } = window;
  window.reads = 0;
  window.addresses = new Set();
  return {
    reads,
    addresses: [...addresses],
    giveBack: () => {
      if (reads === 0) return;
      const { windows } = known.get();
      // The window may have been forgotten in the meantime, or replaced by the next one.
      const current = windows.get(keyOf(window.id)) ?? window;
      windows.set(keyOf(window.id), current);
      current.reads += reads;
      for (const address of addresses) addAddress(current, address);
      scheduleFlush();
    },
  };
}

/** Writes the counts that are in memory to the database and forgets windows that have ended. */
export async function flushReveals(): Promise<void> {
  const { windows } = known.get();
  const now = new Date();
  for (const [key, window] of windows) {
    if (window.reads > 0) {
      const { reads, addresses, giveBack } = takeCounts(window);
      const { tokenId, table, version, environmentId } = window.id;
      try {
        await queryRows(
          db,
          sql`
            INSERT INTO "RevealWindow" AS w ("tokenId", "table", "version", "environmentId", "recordedBy", "startedAt",
              "reads", "addresses")
            VALUES (${tokenId}::uuid, ${table}, ${version}, ${environmentId}::uuid, ${newId()}::uuid, ${window.startedAt},
              ${reads}, ${addresses}::text[])
            ON CONFLICT ("tokenId", "table", "version") DO UPDATE SET
              "reads" = w."reads" + EXCLUDED."reads",
              "addresses" = ${merged(sql`w."addresses"`, sql`EXCLUDED."addresses"`)}`,
        );
      } catch (error) {
        giveBack();
        throw error;
      }
    }
    if (!isOpen(window, now) && window.reads === 0) windows.delete(key);
  }
}

/** Writes the counts for the last time. Called at the stop, after the last request. */
export async function stopReveals(): Promise<void> {
  const state = known.get();
  try {
    await flushReveals();
  } finally {
    state.windows.clear();
    clearTimeout(state.flush);
    state.flush = undefined;
  }
}

/** What was counted in a window that has ended. */
interface Counted {
  reads: number;
  addresses: readonly string[];
}

function countsAsChanges({ reads, addresses }: Counted): Changes {
  if (reads === 0) return {};
  return { repeatedReads: [null, reads], repeatedFrom: [null, [...addresses].sort()] };
}

/**
 * Enters the window of a reveal, in the transaction of its record. Of several at the same moment, one begins it.
 * @param unwritten what this process counted in the window before and has not written
 * @returns when the window began, and the share of the record that begins it; null where the reveal was counted in a
 *   window that another one began
 */
async function enterWindow(
  tx: Db,
  reveal: Reveal,
  unwritten: Counted,
): Promise<{ startedAt: Date; share: RevealShare | null }> {
  const { tokenId, table, version, environmentId, identifier, secrets, ip, now } = reveal;
  const id = newId();
  const [earliest, latest] = [-REVEAL_WINDOW_MS, REVEAL_WINDOW_MS].map((offset) => new Date(now.getTime() + offset));
  // As `isOpen`.
  const open = sql`w."startedAt" > ${earliest} AND w."startedAt" < ${latest}`;
  const addresses = [...unwritten.addresses];
  const here = ip === null ? addresses : [...addresses, ip];
  const [window] = await queryRows<Counted & { recordedBy: string; startedAt: Date }>(
    tx,
    sql`
      INSERT INTO "RevealWindow" AS w ("tokenId", "table", "version", "environmentId", "recordedBy", "startedAt",
        "earlierReads", "earlierAddresses")
      VALUES (${tokenId}::uuid, ${table}, ${version}, ${environmentId}::uuid, ${id}::uuid, ${now}, ${unwritten.reads},
        ${addresses}::text[])
      ON CONFLICT ("tokenId", "table", "version") DO UPDATE SET
        "recordedBy" = CASE WHEN ${open} THEN w."recordedBy" ELSE EXCLUDED."recordedBy" END,
        "startedAt" = CASE WHEN ${open} THEN w."startedAt" ELSE EXCLUDED."startedAt" END,
        "reads" = CASE WHEN ${open} THEN w."reads" + ${unwritten.reads + 1} ELSE 0 END,
        "addresses" = CASE WHEN ${open} THEN ${merged(sql`w."addresses"`, sql`${here}::text[]`)} ELSE '{}' END,
        "earlierReads" = CASE WHEN ${open} THEN w."earlierReads" ELSE w."reads" + ${unwritten.reads} END,
        "earlierAddresses" = CASE WHEN ${open} THEN w."earlierAddresses"
          ELSE ${merged(sql`w."addresses"`, sql`${addresses}::text[]`)} END
      RETURNING "recordedBy", "startedAt", "earlierReads" AS "reads", "earlierAddresses" AS "addresses"`,
  );
  if (!window) throw new Error("a window of reveals was neither begun nor entered");
  if (window.recordedBy !== id) return { startedAt: window.startedAt, share: null };
  const changes: Changes = {
    identifier: [null, identifier],
    configurationVersion: [null, version],
    secrets: [null, secrets],
    ...countsAsChanges(window),
  };
  return { startedAt: now, share: { recordId: environmentId, changes } };
}

/**
 * Has a reveal recorded, or counted where one of the same token, table and version was recorded within the last 60
 * seconds. A counted one costs no lock: the count is in memory for at most a second, then in the database, and in the
 * next record, or in one that the sweeper writes.
 * @param record writes the record with the given share in a transaction of its own
 */
export async function recordReveal(
  reveal: Reveal,
  record: (share: (tx: Db) => Promise<RevealShare | null>) => Promise<void>,
): Promise<void> {
  const { windows } = known.get();
  const { tokenId, table, version, environmentId, ip, now } = reveal;
  const id = { tokenId, table, version, environmentId };
  const window = windows.get(keyOf(id));
  if (window && isOpen(window, now)) {
    count(window, ip);
    return;
  }
  const unwritten = window ? takeCounts(window) : { reads: 0, addresses: [], giveBack: () => {} };
  let startedAt = now;
  try {
    await record(async (tx) => {
      const entered = await enterWindow(tx, reveal, unwritten);
      startedAt = entered.startedAt;
      return entered.share;
    });
  } catch (error) {
    unwritten.giveBack();
    throw error;
  }
  const begun = windows.get(keyOf(id));
  // Another call may have begun it in the meantime, and counted.
  if (!begun || begun === window) {
    // Counts that another call gave back stay.
    const { reads = 0, addresses = new Set<string>() } = begun ?? {};
    windows.set(keyOf(id), { id, startedAt, reads, addresses });
  }
  scheduleFlush();
}

/**
 * Writes the records of counted reads that no later record told of, and forgets windows that have ended.
 * @returns how many windows were forgotten
 */
export async function settleReveals(now: Date): Promise<number> {
  const ended = { lt: new Date(now.getTime() - REVEAL_WINDOW_MS - SETTLE_MS) };
  const rows = await db.revealWindow.findMany({ where: { startedAt: ended } });
  let settled = 0;
  for (const { tokenId, table, version } of rows) {
    settled += await db.$transaction(async (tx) => {
      const [row] = await queryRows<Counted & { environmentId: string }>(
        tx,
        sql`
          DELETE FROM "RevealWindow" WHERE "tokenId" = ${tokenId}::uuid AND "table" = ${table} AND "version" = ${version}
            AND "startedAt" < ${ended.lt}
          RETURNING "environmentId", "reads", "addresses"`,
      );
      if (!row) return 0;
      if (row.reads > 0) {
        await writeAudit(tx, {
          actor: { kind: "token", tokenId },
          request: { requestId: newId(), ip: null, now },
          table,
          action: "reveal-repeated",
          recordId: row.environmentId,
          changes: { configurationVersion: [null, version], ...countsAsChanges(row) },
        });
      }
      return 1;
    });
  }
  return settled;
}
