import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { scopesFor } from "@/lib/permissions/authorize";
import { findBuild } from "../data/builds";
import { readPlaceOf } from "../data/read-places";
import { releaseTarget } from "../data/releases";
import { buildDetailsSchema, releaseIdInput } from "../schema";

/** The build of a release, and those that were published before and after it. */
export const getBuild = defineQuery({
  area: "apps",
  name: "get-build",
  summary: "Get the build of a release, with all its releases and its neighbours",
  access: "release:read",
  forGroups: true,
  namesPeople: true,
  input: releaseIdInput,
  output: buildDetailsSchema,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ actor, target, db }) {
    const { build, previous, next } = orNotFound(await findBuild(db, target.release, readPlaceOf(actor, target)));
    return { ...build, previous, next, scopes: scopesFor(actor, target) };
  },
});
