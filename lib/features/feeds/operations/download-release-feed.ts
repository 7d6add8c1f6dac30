import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { env } from "@/lib/kernel/env";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { feedUrl, readFeed } from "../data";
import { atomFeed } from "../internal/atom";
import { readReleaseFeedInput } from "../schema";

const CONTENT_TYPE = "application/atom+xml; charset=utf-8";
/** How long a feed reader may keep it, in seconds. */
const MAX_AGE_SECONDS = 300;

/** The last releases that the owner of a feed may read, as Atom. The secret address is the only key. */
export const downloadReleaseFeed = defineDownload({
  area: "apps",
  name: "download-release-feed",
  summary: "Read a feed of releases by its secret address",
  access: "public",
  input: readReleaseFeedInput,
  contentTypes: [CONTENT_TYPE],
  errors: ["not_found"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input: { token }, db, request }) {
    const { userId, console, releases } = orNotFound(await readFeed(db, token, request.now));
    const feed = { id: userId, title: console, self: feedUrl(token), home: `${env.APP_URL}${PAGES.home}` };
    const body = Buffer.from(atomFeed(releases, { ...feed, updatedAt: request.now }));
    const headers = {
      "Content-Type": CONTENT_TYPE,
      "Content-Length": String(body.byteLength),
      "Cache-Control": `private, max-age=${MAX_AGE_SECONDS}`,
    };
    return { status: 200, headers, body };
  },
});
