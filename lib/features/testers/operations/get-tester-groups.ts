import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appOfGroupsTarget, listGroups, toGroup } from "../data/groups";
import { getTesterGroupsInput, testerGroupsOutput } from "../schema";

/** The groups of testers of an application, with the numbers of their members. */
export const getTesterGroups = defineQuery({
  area: "testers",
  name: "get-tester-groups",
  summary: "List the groups of testers of an application",
  access: "environment:write",
  input: getTesterGroupsInput,
  output: testerGroupsOutput,
  errors: [],
  target: ({ appId }, db) => appOfGroupsTarget(db, appId),
  async handler({ input, db }) {
    const { rows, ...page } = await listGroups(db, input);
    return { items: rows.map(toGroup), ...page };
  },
});
