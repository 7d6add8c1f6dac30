import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { findFeed, removeFeed } from "../data";
import { noFeedInput } from "../schema";

/** Ends the address of the user's calendar of what ends. */
export const deleteCalendarFeed = defineCommand({
  area: "expiry",
  name: "delete-calendar-feed",
  summary: "Turn off the address of one’s calendar of expiration dates",
  access: "user",
  input: noFeedInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "CalendarFeed", action: "delete" },
  async handler({ actor: { userId }, tx }) {
    const before = await findFeed(tx, "calendar", userId);
    await removeFeed(tx, "calendar", userId);
    return { output: undefined, audit: { recordId: userId, changes: changesBetween(before, null) } };
  },
});
