import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { previousRelease, releaseTarget, toComparable, toRelease } from "../data";
import { compareReleases } from "../internal/release-changes";
import { comparedReleaseSchema, releaseIdInput } from "../schema";

/** One release, and what is different from the one before it. */
export const getTestingDeployById = defineQuery({
  area: "apps",
  name: "get-testing-deploy-by-id",
  summary: "One release, and what is different from the one before it",
  access: "release:read",
  input: releaseIdInput,
  output: comparedReleaseSchema,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ target: { release }, db }) {
    const previous = await previousRelease(db, release);
    const changes = previous && compareReleases(toComparable(previous), toComparable(release));
    return { ...toRelease(release), changes };
  },
});
