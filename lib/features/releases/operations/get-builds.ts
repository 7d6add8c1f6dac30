import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { forAnyGroup } from "@/lib/permissions/authorize";
import { listBuilds } from "../data/builds";
import { placesToRead } from "../data/read-places";
import { keepRenderedNotes } from "../data/releases";
import { targetOfPlace } from "../data/targets";
import { scopesByEnvironment } from "../internal/rights";
import { buildsOutput, getBuildsInput } from "../schema";

/** The builds of an environment, or of an application in the environments that the caller reaches, the last published first. */
export const getBuilds = defineQuery({
  area: "apps",
  name: "get-builds",
  summary: "List the builds of an environment or application, each with its releases, the last published first",
  access: "release:read",
  forGroups: true,
  namesPeople: true,
  input: getBuildsInput,
  output: buildsOutput,
  errors: [],
  target: async (input, db) => forAnyGroup(await targetOfPlace(db, input)),
  async handler({ input, actor, target, db, after }) {
    const { read, ...page } = await listBuilds(db, await placesToRead(db, actor, target), input);
    after(() => keepRenderedNotes(db, read));
    return { ...page, environments: scopesByEnvironment(actor, page.items) };
  },
});
