import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { STORED_UPLOADS } from "./stored-uploads";

const recordSchema = z.object({
  uploadId: idSchema,
  /** Identifies the file; see `fileFingerprint`. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** The ID of the environment that the upload is for. */
  place: z.string().max(100),
  fileName: z.string().max(1_000),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** Milliseconds since the epoch. */
  begunAt: z.number(),
});

/** An upload that was started in this browser and is not published yet. */
export type UnfinishedUpload = z.output<typeof recordSchema>;

/** The server keeps an upload for a day. */
const LIFETIME_MS = 24 * 3_600_000;
const MAX_RECORDS = 20;

/** A browser's storage; null if it is blocked. */
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function browserStore(): Store | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** The unfinished uploads of this browser, newest first. Invalid stored data counts as none. */
export function unfinishedUploads(now = Date.now(), store = browserStore()): UnfinishedUpload[] {
  try {
    const records = z.array(z.unknown()).parse(JSON.parse(store?.getItem(STORED_UPLOADS) ?? "[]"));
    return records
      .flatMap((record) => recordSchema.safeParse(record).data ?? [])
      .filter(({ begunAt }) => now - begunAt < LIFETIME_MS);
  } catch {
    return [];
  }
}

/** Stores an upload, replacing an earlier one of the same file and environment. */
export function storeUpload(upload: UnfinishedUpload, store = browserStore()): void {
  const others = unfinishedUploads(upload.begunAt, store).filter((one) => !isSame(one, upload));
  write([upload, ...others].slice(0, MAX_RECORDS), store);
}

/** Removes the stored upload of a file for an environment. */
export function removeUpload(
  upload: Pick<UnfinishedUpload, "fingerprint" | "place">,
  now = Date.now(),
  store = browserStore(),
): void {
  write(
    unfinishedUploads(now, store).filter((one) => !isSame(one, upload)),
    store,
  );
}

function isSame(
  one: Pick<UnfinishedUpload, "fingerprint" | "place">,
  other: Pick<UnfinishedUpload, "fingerprint" | "place">,
): boolean {
  return one.fingerprint === other.fingerprint && one.place === other.place;
}

function write(records: readonly UnfinishedUpload[], store: Store | null): void {
  try {
    if (records.length === 0) store?.removeItem(STORED_UPLOADS);
    else store?.setItem(STORED_UPLOADS, JSON.stringify(records));
  } catch {
    // Storage may be full or blocked; the upload then cannot be resumed after a reload.
  }
}
