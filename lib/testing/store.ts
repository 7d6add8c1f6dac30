import { db } from "@/lib/db/client";
import { sweep } from "@/lib/jobs/sweep";
import { currentStore, storage } from "@/lib/storage";
import { type StorageDriver, StorageError } from "@/lib/storage/driver";

/** A fault of a store: a method fails before or after it does its work. */
export interface Fault {
  method: keyof StorageDriver;
  when: "before" | "after";
  error?: Error;
  /** Runs before the method fails, like a concurrent change by another instance. */
  beforeFailure?(): Promise<unknown>;
}

// biome-ignore lint/correctness/useYield: it fails before its first key
async function* failingList(error: Error): AsyncGenerator<never> {
  throw error;
}

/** Runs `work` with a store whose method fails on every call. */
export async function withFault<T>(fault: Fault, work: () => Promise<T>): Promise<T> {
  const original = storage();
  const broken = new Proxy(original, {
    get(driver, name) {
      const member = Reflect.get(driver, name, driver);
      if (typeof member !== "function") return member;
      if (name !== fault.method) return member.bind(driver);
      const error = fault.error ?? new StorageError("unavailable", { cause: new Error("injected fault") });
      if (name === "list") return () => failingList(error);
      return async (...args: unknown[]) => {
        if (fault.when === "after") await member.apply(driver, args);
        await fault.beforeFailure?.();
        throw error;
      };
    },
  });
  currentStore.set(broken);
  try {
    return await work();
  } finally {
    currentStore.set(original);
  }
}

/** Returns the sorted keys of all objects in the store. */
export async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage().list("")) keys.push(key);
  return keys.sort();
}

/** Runs the sweeper. @returns the keys in the store, the keys in the database, which must be equal, and the number of unfinished files */
export async function afterSweep(now = new Date()): Promise<{ stored: string[]; known: string[]; unfinished: number }> {
  await sweep(db, storage(), { now, graceMs: 0 });
  const files = await db.file.findMany({ where: { sha256: { not: null } } });
  const unfinished = await db.file.count({ where: { OR: [{ sha256: null }, { state: "deleting" }] } });
  return { stored: await storedKeys(), known: files.map(({ storageKey }) => storageKey).sort(), unfinished };
}
