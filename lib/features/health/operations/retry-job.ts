import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { retryFailedJob } from "@/lib/jobs/failures";
import { ApiError } from "@/lib/kernel/errors";
import { retryJobInput } from "../schema";

/**
 * Runs a job that failed for good once more. `conflict` says that it is not failed any more, or that another one of a kind
 * that is not needed twice waits or runs.
 */
export const retryJob = defineCommand({
  area: "config",
  name: "retry-job",
  summary: "Run a failed background job again",
  access: "admin",
  input: retryJobInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found", "conflict"],
  rateLimit: { points: 60, seconds: 60, by: "actor" },
  audit: { table: "Job", action: "retry" },
  async handler({ input: { id }, tx }) {
    const { queue, isQueued } = orNotFound(await retryFailedJob(tx, id));
    if (!isQueued) throw new ApiError("conflict", { detailKey: "detailJob", params: { field: "id" } });
    return { output: undefined, audit: { recordId: id, changes: { queue: [null, queue] } } };
  },
});
