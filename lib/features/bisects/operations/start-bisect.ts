import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { environmentTarget } from "@/lib/features/environments/data";
import { auditedBisect, createBisect, toBisect } from "../data";
import { bisectSchema, startBisectInput } from "../schema";

/** Begins the search for the build that introduced a bug, between a build without and a later one with it. */
export const startBisect = defineCommand({
  area: "apps",
  name: "start-bisect",
  summary: "Start to search for the build that introduced a bug",
  access: "release:read",
  input: startBisectInput,
  output: bisectSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "Bisect", action: "start" },
  target: (input, db) => environmentTarget(db, input.environmentId),
  async handler({ input, actor, tx, request: { now } }) {
    const bisect = await createBisect(tx, input, { actor, now });
    const changes = changesBetween(null, auditedBisect(bisect));
    return { output: await toBisect(tx, bisect), audit: { recordId: bisect.id, changes } };
  },
});
