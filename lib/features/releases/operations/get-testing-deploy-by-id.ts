import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { scopesFor } from "@/lib/permissions/authorize";
import { toNamedBuild, toRelease } from "../data/answers";
import { readInstallFacts } from "../data/install-facts";
import { readPlaceOf } from "../data/read-places";
import { previousRelease, releaseTarget } from "../data/releases";
import { readSurroundings } from "../data/surroundings";
import { releaseDetailsSchema, releaseIdInput } from "../schema";

/** One release, the ones before and after it, and what can be installed instead of it. */
export const getTestingDeployById = defineQuery({
  area: "apps",
  name: "get-testing-deploy-by-id",
  summary: "Get a release, and what surrounds it",
  access: "release:read",
  forGroups: true,
  namesPeople: true,
  input: releaseIdInput,
  output: releaseDetailsSchema,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ actor, target, db }) {
    const { release } = target;
    const place = readPlaceOf(actor, target);
    const [previous, around, { stored: _, ...installFacts }] = await Promise.all([
      previousRelease(db, release, place),
      readSurroundings(db, release, place),
      readInstallFacts(release, actor, db),
    ]);
    const { next, latest, sameBuild, lastDownloadAt, openings, ...alternatives } = around;
    return {
      ...toRelease(release),
      previous: previous && { ...toNamedBuild(previous), deployDate: previous.deployDate.toISOString() },
      next,
      latest,
      sameBuild,
      lastDownloadAt: lastDownloadAt?.toISOString() ?? null,
      openings,
      alternatives,
      installFacts,
      scopes: scopesFor(actor, target),
    };
  },
});
