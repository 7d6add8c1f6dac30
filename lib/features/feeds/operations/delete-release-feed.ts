import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { findFeed, removeFeed } from "../data";
import { noFeedInput } from "../schema";

/** Ends the address of the user's feed of releases. */
export const deleteReleaseFeed = defineCommand({
  area: "apps",
  name: "delete-release-feed",
  summary: "Turn off the address of one’s feed of releases",
  access: "user",
  input: noFeedInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "ReleaseFeed", action: "delete" },
  async handler({ actor: { userId }, tx }) {
    const before = await findFeed(tx, "release", userId);
    await removeFeed(tx, "release", userId);
    return { output: undefined, audit: { recordId: userId, changes: changesBetween(before, null) } };
  },
});
