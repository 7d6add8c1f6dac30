import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { groupTarget, toGroup } from "../data/groups";
import { testerGroupIdInput, testerGroupSchema } from "../schema";

/** A group of testers. */
export const getTesterGroup = defineQuery({
  area: "testers",
  name: "get-tester-group",
  summary: "Get a group of testers",
  access: "environment:write",
  input: testerGroupIdInput,
  output: testerGroupSchema,
  errors: [],
  target: ({ id }, db) => groupTarget(db, id),
  handler: async ({ target }) => toGroup(target.group),
});
