import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listBuilds } from "../data/builds";
import { keepRenderedNotes } from "../data/releases";
import { environmentOrAppTarget, environmentsToRead } from "../internal/places";
import { scopesByEnvironment } from "../internal/rights";
import { buildsOutput, getBuildsInput } from "../schema";

/** The builds of an environment, or of an application in the environments that the caller reaches, the last published first. */
export const getBuilds = defineQuery({
  area: "apps",
  name: "get-builds",
  summary: "List the builds of an environment or application, each with its releases, the last published first",
  access: "release:read",
  input: getBuildsInput,
  output: buildsOutput,
  errors: [],
  target: (input, db) => environmentOrAppTarget(db, input),
  async handler({ input, actor, target, db, after }) {
    const { read, ...page } = await listBuilds(db, await environmentsToRead(db, actor, target), input);
    after(() => keepRenderedNotes(db, read));
    return { ...page, environments: scopesByEnvironment(actor, page.items) };
  },
});
