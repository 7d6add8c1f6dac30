import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { findFeed } from "../data";
import { feedStateSchema, noFeedInput } from "../schema";

/** Whether the user has a feed of releases, and when it was last read. Its address cannot be shown again. */
export const getReleaseFeed = defineQuery({
  area: "apps",
  name: "get-release-feed",
  summary: "Get whether one has a feed of releases",
  access: "user",
  input: noFeedInput,
  output: feedStateSchema,
  errors: [],
  handler: ({ actor, db }) => findFeed(db, "release", actor.userId),
});
