import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { readReleaseDistributions } from "../data/distributions";
import { getReleaseDistributionsInput, releaseDistributionsOutput } from "../schema";

/** To whom a release was distributed: who was told, opened and installed it, and when. */
export const getReleaseDistributions = defineQuery({
  area: "testers",
  name: "get-release-distributions",
  summary: "List to whom a release was distributed, with who opened and installed it",
  access: "release:update",
  input: getReleaseDistributionsInput,
  output: releaseDistributionsOutput,
  errors: [],
  target: ({ releaseId }, db) => releaseTarget(db, releaseId),
  handler: ({ input, db }) => readReleaseDistributions(db, input),
});
