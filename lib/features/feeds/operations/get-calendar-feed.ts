import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { findFeed } from "../data";
import { feedStateSchema, noFeedInput } from "../schema";

/** Whether the user has a calendar of what ends, and when it was last read. Its address cannot be shown again. */
export const getCalendarFeed = defineQuery({
  area: "expiry",
  name: "get-calendar-feed",
  summary: "Get whether one has a calendar of expiration dates",
  access: "user",
  input: noFeedInput,
  output: feedStateSchema,
  errors: [],
  handler: ({ actor, db }) => findFeed(db, "calendar", actor.userId),
});
