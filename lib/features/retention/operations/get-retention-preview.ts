import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { findRetention, previewRetention } from "../data/rules";
import { retentionPreviewInput, retentionPreviewSchema } from "../schema";

/** What a rule would move to the bin now. Without a rule, what that of the environment does. */
export const getRetentionPreview = defineQuery({
  area: "retention",
  name: "get-retention-preview",
  summary: "Get what a rule would move to the bin",
  access: "environment:write",
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  input: retentionPreviewInput,
  output: retentionPreviewSchema,
  errors: [],
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  async handler({ input, db, request }) {
    const { environmentId, keepNewest, keepDays, keepWithShareLink } = input;
    const { rule: stored } = await findRetention(db, environmentId);
    const isOwn = keepNewest === undefined && keepDays === undefined && keepWithShareLink === undefined;
    const given = {
      keepNewest: keepNewest ?? null,
      keepDays: keepDays ?? null,
      keepWithShareLink: keepWithShareLink ?? stored.keepWithShareLink,
      mayDeleteAll: false,
    };
    return previewRetention(db, environmentId, isOwn ? stored : given, request.now);
  },
});
