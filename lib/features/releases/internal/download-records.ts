import "server-only";
import { db } from "@/lib/db/client";
import type { RequestFacts } from "@/lib/http/request-facts";
import { Batches } from "@/lib/kernel/batches";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { type Download, recordDownloads } from "../data/downloads";
import { beginsDownload, userAgentFamily } from "../rules";

const batches = processSingleton(
  "download-records",
  () => new Batches<Download>((downloads) => recordDownloads(db, downloads)),
);

/**
 * Records a download, unless the answer to the request is a later range of one or a failure. A thousand testers who download a release at the same moment occupy one connection of the pool: each
 * record waits for the row of the release, so that records of their own would occupy all.
 */
export async function recordDownload(
  download: Omit<Download, "userAgent" | "at">,
  request: RequestFacts,
  status: number,
): Promise<void> {
  if (!beginsDownload(request, status)) return;
  await batches.get().add({ ...download, userAgent: userAgentFamily(request.userAgent), at: request.now });
}
