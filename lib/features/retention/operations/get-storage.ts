import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { storage } from "@/lib/storage";
import { storeState } from "@/lib/storage/store-state";
import { readLargest, readStoredBytes, readUsage } from "../data/storage";
import { getStorageInput, storageSchema } from "../schema";

/** What the files of releases take, by application, environment and kind, and what will be freed. */
export const getStorage = defineQuery({
  area: "retention",
  name: "get-storage",
  summary: "Get how much space files take, by application, environment and kind",
  access: "admin",
  input: getStorageInput,
  output: storageSchema,
  errors: [],
  async handler({ db }) {
    const [usage, largest, stored, { freeBytes }] = await Promise.all([
      readUsage(db),
      readLargest(db),
      readStoredBytes(db),
      storeState(storage()),
    ]);
    return {
      ...usage,
      largest,
      freeBytes,
      usedBytes: stored.releases + stored.images,
      imageBytes: stored.images,
      sharedBytes: Math.max(0, usage.all.total - stored.releases),
    };
  },
});
