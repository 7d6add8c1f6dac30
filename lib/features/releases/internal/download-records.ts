import "server-only";
import { db } from "@/lib/db/client";
import { Batches } from "@/lib/kernel/batches";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { type Download, recordDownloads } from "../data/downloads";

const batches = processSingleton(
  "download-records",
  () => new Batches<Download>((downloads) => recordDownloads(db, downloads)),
);

/**
 * Records a download. A thousand testers who download a release at the same moment occupy one connection of the pool: each
 * record waits for the row of the release, so that records of their own would occupy all.
 */
export function recordDownload(download: Download): Promise<void> {
  return batches.get().add(download);
}
