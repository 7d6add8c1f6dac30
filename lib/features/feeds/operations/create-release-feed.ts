import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { findFeed, renewFeed } from "../data";
import { feedUrl } from "../internal/addresses";
import { newFeedSchema, noFeedInput } from "../schema";

/** Makes the secret address of the user's feed of releases. An address that was made before ends. */
export const createReleaseFeed = defineCommand({
  area: "apps",
  name: "create-release-feed",
  summary: "Create the address of one’s feed of releases, which replaces the previous one",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: noFeedInput,
  output: newFeedSchema,
  status: 201,
  errors: [],
  audit: { table: "ReleaseFeed", action: "create" },
  async handler({ actor: { userId }, tx, request }) {
    const before = await findFeed(tx, "release", userId);
    const secret = await renewFeed(tx, "release", userId, request.now);
    const after = await findFeed(tx, "release", userId);
    return {
      output: { ...after, url: feedUrl("release", secret) },
      audit: { recordId: userId, changes: changesBetween(before, after) },
    };
  },
});
