import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type { InstallStep } from "@/lib/kernel/install-steps";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { writeVisits } from "./data";
import { mergedChange, type Package, stepsUpTo, type VisitChange } from "./state";
import type { Visitor } from "./visitor";

/** How long steps stay in memory at most, in milliseconds; they are lost if the process is killed. */
export const FLUSH_INTERVAL_MS = 500;
/** Visits that wait to be written while the database does not respond; further ones are not counted. */
const MAX_WAITING = 100_000;

/** A package on its way to a device. */
interface Transfer {
  releaseId: string;
  visitor: Visitor;
  package: Package;
  /** The first byte that was asked for. */
  start: number;
  sent: number;
  /** Whether it is among those that wait to be written. */
  isWaiting: boolean;
}

interface Waiting {
  changes: Map<string, VisitChange>;
  /** Transfers of which bytes were sent since the last time. */
  transfers: Set<Transfer>;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
}

const waiting = processSingleton<Waiting>("install-visits", () => ({
  changes: new Map(),
  transfers: new Set(),
  timer: undefined,
  writing: undefined,
}));

const keyOf = ({ releaseId, visitor }: Pick<VisitChange, "releaseId" | "visitor">) => `${releaseId} ${visitor.id}`;

/** @param isOlder whether it happened before what waits */
function add(change: VisitChange, isOlder = false): void {
  const { changes } = waiting.get();
  const key = keyOf(change);
  const known = changes.get(key);
  if (!known && changes.size >= MAX_WAITING) return;
  changes.set(key, !known ? change : isOlder ? mergedChange(change, known) : mergedChange(known, change));
  scheduleFlush();
}

function scheduleFlush(): void {
  const state = waiting.get();
  state.timer ??= setTimeout(async () => {
    try {
      await flushVisits();
    } catch (error) {
      log.warn({ err: error }, "steps of installations could not be written");
    }
    state.timer = undefined;
    if (state.changes.size > 0 || state.transfers.size > 0) scheduleFlush();
  }, FLUSH_INTERVAL_MS).unref();
}

/** Keeps in memory what happened in a visit, until it is written with other visits. */
export function recordVisit(change: VisitChange): void {
  add(change);
}

/** Records that a visit has reached a step, and with it the steps before. */
export function recordStep({
  step,
  hasManifest,
  ...visit
}: Omit<VisitChange, "steps" | "package" | "ranges" | "fromStore"> & {
  step: InstallStep;
  hasManifest: boolean;
}): void {
  add({ ...visit, steps: stepsUpTo(step, hasManifest) });
}

/**
 * Follows a package on its way to a device.
 * @returns what is told of the bytes that were sent, in their order
 */
export function followTransfer(transfer: Omit<Transfer, "sent" | "isWaiting">): (count: number) => void {
  const followed: Transfer = { ...transfer, sent: 0, isWaiting: false };
  return (count) => {
    followed.sent += count;
    // Once in each interval: this is called for each piece of each download.
    if (followed.isWaiting) return;
    followed.isWaiting = true;
    waiting.get().transfers.add(followed);
    scheduleFlush();
  };
}

/** Takes what is in memory; it is given back if it cannot be written. */
function takeChanges(): VisitChange[] {
  const state = waiting.get();
  const at = new Date();
  for (const transfer of state.transfers) {
    const { releaseId, visitor, package: file, start, sent } = transfer;
    transfer.isWaiting = false;
    add({ releaseId, visitor, at, steps: [], package: file, ranges: [[start, start + sent]] });
  }
  state.transfers = new Set();
  const { changes } = state;
  state.changes = new Map();
  return [...changes.values()];
}

async function write(): Promise<void> {
  const taken = takeChanges();
  if (taken.length === 0) return;
  try {
    await writeVisits(taken);
  } catch (error) {
    for (const change of taken) add(change, true);
    throw error;
  }
}

/** Writes what this instance has in memory. */
export async function flushVisits(): Promise<void> {
  const state = waiting.get();
  // What a write that has begun did not take is written after it.
  while (state.writing) await state.writing.catch(() => delay(0));
  state.writing = write();
  try {
    await state.writing;
  } finally {
    state.writing = undefined;
  }
}

/** Writes for the last time. Called at the stop, after the last request. */
export async function stopVisits(): Promise<void> {
  const state = waiting.get();
  try {
    await flushVisits();
  } finally {
    clearTimeout(state.timer);
    state.timer = undefined;
  }
}
