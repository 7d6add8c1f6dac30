import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { findFeed, renewFeed } from "../data";
import { feedUrl, webcalUrl } from "../internal/addresses";
import { newCalendarFeedSchema, noFeedInput } from "../schema";

/** Makes the secret address of the user's calendar of what ends. An address that was made before ends. */
export const createCalendarFeed = defineCommand({
  area: "expiry",
  name: "create-calendar-feed",
  summary: "Create the address of one’s calendar of expiration dates, which replaces the previous one",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: noFeedInput,
  output: newCalendarFeedSchema,
  status: 201,
  errors: [],
  audit: { table: "CalendarFeed", action: "create" },
  async handler({ actor: { userId }, tx, request }) {
    const before = await findFeed(tx, "calendar", userId);
    const url = feedUrl("calendar", await renewFeed(tx, "calendar", userId, request.now));
    const after = await findFeed(tx, "calendar", userId);
    return {
      output: { ...after, url, webcalUrl: webcalUrl(url) },
      audit: { recordId: userId, changes: changesBetween(before, after) },
    };
  },
});
