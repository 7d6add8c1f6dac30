import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";

const recordSchema = z.object({
  uploadId: idSchema,
  /** Recognises the file; see `fileFingerprint`. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** What the upload is for, an environment's id: it is offered again there. */
  place: z.string().max(100),
  fileName: z.string().max(1_000),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** Milliseconds since the epoch. */
  begunAt: z.number(),
});

/** An upload that was begun in this browser and is not published yet. */
export type UnfinishedUpload = z.output<typeof recordSchema>;

const ITEM = "slipway.uploads";
/** The server keeps an upload for a day. */
const LIFETIME_MS = 24 * 3_600_000;
const MAX_RECORDS = 20;

/** A browser's storage, or nothing where it is refused. */
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function browserStore(): Store | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** The unfinished uploads of this browser, newest first. What is kept and cannot be understood counts as nothing. */
export function unfinishedUploads(now = Date.now(), store = browserStore()): UnfinishedUpload[] {
  try {
    const records = z.array(z.unknown()).parse(JSON.parse(store?.getItem(ITEM) ?? "[]"));
    return records
      .flatMap((record) => recordSchema.safeParse(record).data ?? [])
      .filter(({ begunAt }) => now - begunAt < LIFETIME_MS);
  } catch {
    return [];
  }
}

/** Notes an upload, in place of an earlier one of the same file for the same place. */
export function noteUpload(upload: UnfinishedUpload, store = browserStore()): void {
  const others = unfinishedUploads(upload.begunAt, store).filter((one) => !isSame(one, upload));
  write([upload, ...others].slice(0, MAX_RECORDS), store);
}

/** Forgets the upload of a file for a place. */
export function forgetUpload(
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
    if (records.length === 0) store?.removeItem(ITEM);
    else store?.setItem(ITEM, JSON.stringify(records));
  } catch {
    // Storage may be full or refused; then the upload does not go on after a reload.
  }
}
