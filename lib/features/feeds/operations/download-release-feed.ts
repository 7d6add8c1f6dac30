import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { env } from "@/lib/kernel/env";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { openFeed, releasesOf } from "../data";
import { feedReply, feedUrl } from "../internal/addresses";
import { atomFeed } from "../internal/atom";
import { readFeedInput } from "../schema";

const CONTENT_TYPE = "application/atom+xml; charset=utf-8";

/** The last releases that the owner of a feed may read, as Atom. The secret address is the only key. */
export const downloadReleaseFeed = defineDownload({
  area: "apps",
  name: "download-release-feed",
  summary: "Read a feed of releases by its secret address",
  access: "public",
  namesPeople: true,
  input: readFeedInput,
  contentTypes: [CONTENT_TYPE],
  errors: ["not_found"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input: { token }, db, request }) {
    const opened = orNotFound(await openFeed(db, "release", token, request.now));
    const { userId, console } = opened;
    const feed = { id: userId, title: console, self: feedUrl("release", token), home: `${env.APP_URL}${PAGES.home}` };
    return feedReply(CONTENT_TYPE, atomFeed(await releasesOf(db, opened), { ...feed, updatedAt: request.now }));
  },
});
