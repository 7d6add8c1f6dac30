import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listOwnBisects } from "../data";
import { getOwnBisectsInput, ownBisectsOutput } from "../schema";

/** The caller's searches in the environments whose releases they may read, the last used one first. */
export const getOwnBisects = defineQuery({
  area: "apps",
  name: "get-own-bisects",
  summary: "List one’s own searches for builds that introduced bugs",
  access: { anyTarget: "release:read" },
  input: getOwnBisectsInput,
  output: ownBisectsOutput,
  errors: [],
  handler: ({ input, actor, db }) => listOwnBisects(db, actor, input),
});
