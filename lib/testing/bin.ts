import { db } from "@/lib/db/client";
import { emptyBin } from "@/lib/storage/bin";

/** Deletes all releases of the bin for good, as if their time had passed. */
export async function emptyWholeBin(): Promise<number> {
  const now = new Date();
  await db.binnedRelease.updateMany({ data: { expiresAt: now } });
  return emptyBin(db, { now });
}
