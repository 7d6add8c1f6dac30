import "server-only";
import { Readable } from "node:stream";
import { z } from "zod";
import { defineDownload } from "@/lib/api/operation";
import { EXPORT_TYPE, exportLines } from "@/lib/audit/export";
import { readChain } from "@/lib/audit/verify";
import { databasePool } from "@/lib/db/client";
import { contentDisposition } from "@/lib/http/content-disposition";

/** All records with the text that their hashes cover. `npm run audit -- verify --log` verifies them without the database. */
export const downloadAuditLog = defineDownload({
  area: "config",
  name: "download-audit-log",
  summary: "Download the whole audit log with its hash chain, to verify it without the database",
  access: "admin",
  input: z.strictObject({}),
  contentTypes: [EXPORT_TYPE],
  errors: [],
  handler: async ({ request }) => ({
    status: 200,
    headers: {
      "Content-Type": EXPORT_TYPE,
      "Content-Disposition": contentDisposition(`audit-log-${request.now.toISOString().slice(0, 10)}.ndjson`),
      "Cache-Control": "no-store",
    },
    body: Readable.from(exportLines(readChain(databasePool())), { highWaterMark: 1 }),
  }),
});
