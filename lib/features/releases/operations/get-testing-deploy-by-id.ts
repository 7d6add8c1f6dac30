import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { scopesFor } from "@/lib/permissions/authorize";
import { toComparable, toRelease } from "../data/answers";
import { previousRelease, releaseTarget } from "../data/releases";
import { readSurroundings } from "../data/surroundings";
import { compareReleases } from "../internal/release-changes";
import { releaseDetailsSchema, releaseIdInput } from "../schema";

/** One release: what is different from the one before it, and what can be installed instead of it. */
export const getTestingDeployById = defineQuery({
  area: "apps",
  name: "get-testing-deploy-by-id",
  summary: "Get a release, and its differences from the one before it",
  access: "release:read",
  input: releaseIdInput,
  output: releaseDetailsSchema,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ actor, target, db }) {
    const { release } = target;
    const [previous, around] = await Promise.all([previousRelease(db, release), readSurroundings(db, release)]);
    const changes = previous && compareReleases(toComparable(previous), toComparable(release));
    const { next, latest, sameBuild, lastDownloadAt, openings, ...alternatives } = around;
    return {
      ...toRelease(release),
      changes,
      next,
      latest,
      sameBuild,
      lastDownloadAt: lastDownloadAt?.toISOString() ?? null,
      openings,
      alternatives,
      scopes: scopesFor(actor, target),
    };
  },
});
