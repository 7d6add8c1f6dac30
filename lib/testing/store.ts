import { db } from "@/lib/db/client";
import { sweep } from "@/lib/jobs/sweep";
import { currentStore, storage } from "@/lib/storage";
import { type StorageDriver, StorageError } from "@/lib/storage/driver";

/** Where a store breaks: at a method, before it does anything or after it did all. */
export interface Fault {
  method: keyof StorageDriver;
  when: "before" | "after";
  error?: Error;
  /** What another instance does at this moment. */
  meanwhile?(): Promise<unknown>;
}

// biome-ignore lint/correctness/useYield: it fails before its first key
async function* failingList(error: Error): AsyncGenerator<never> {
  throw error;
}

/** Runs something with a store that breaks at one point, every time. */
export async function withFault<T>(fault: Fault, work: () => Promise<T>): Promise<T> {
  const sound = storage();
  const broken = new Proxy(sound, {
    get(driver, name) {
      const member = Reflect.get(driver, name, driver);
      if (typeof member !== "function") return member;
      if (name !== fault.method) return member.bind(driver);
      const error = fault.error ?? new StorageError("unavailable", { cause: new Error("broken on purpose") });
      if (name === "list") return () => failingList(error);
      return async (...given: unknown[]) => {
        if (fault.when === "after") await member.apply(driver, given);
        await fault.meanwhile?.();
        throw error;
      };
    },
  });
  currentStore.set(broken);
  try {
    return await work();
  } finally {
    currentStore.set(sound);
  }
}

/** Every key that the store holds an object under. */
export async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage().list("")) keys.push(key);
  return keys.sort();
}

/** What is in the store and what the tables say is in it, after a sweep; the two must be the same. */
export async function afterSweep(now = new Date()): Promise<{ stored: string[]; known: string[]; unfinished: number }> {
  await sweep(db, storage(), { now, graceMs: 0 });
  const files = await db.file.findMany({ where: { sha256: { not: null } } });
  const unfinished = await db.file.count({ where: { OR: [{ sha256: null }, { state: "deleting" }] } });
  return { stored: await storedKeys(), known: files.map(({ storageKey }) => storageKey).sort(), unfinished };
}
