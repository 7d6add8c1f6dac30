import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { knownReachOf, reachOf } from "@/lib/permissions/reach";
import { listReachedApps, toApps } from "../data";
import { appsOutput, getAuthorizedAppsInput } from "../schema";

/** The active applications in which the caller's role reaches at least one active environment. */
export const getAuthorizedApps = defineQuery({
  area: "apps",
  name: "get-authorized-apps",
  summary: "List the applications that the caller’s role reaches",
  access: "user",
  forGroups: true,
  input: getAuthorizedAppsInput,
  output: appsOutput,
  errors: [],
  async handler({ actor, input, db }) {
    const reach = reachOf(actor);
    const { rows, nextCursor, total } = await listReachedApps(db, knownReachOf(actor), input);
    return { items: await toApps(db, rows, reach), nextCursor, total };
  },
});
