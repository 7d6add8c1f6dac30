import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentsWithin } from "@/lib/features/releases/data/read-places";
import { targetOfPlace } from "@/lib/features/releases/data/targets";
import { listShareLinks, toShareLink } from "../data";
import { getShareLinksInput, shareLinksOutput } from "../schema";

/** The share links of an application, an environment or one release, newest first, with how often they were opened and installed. */
export const getShareLinks = defineQuery({
  area: "share-links",
  name: "get-share-links",
  summary: "List the share links of an application, an environment or a release",
  access: "release:update",
  input: getShareLinksInput,
  output: shareLinksOutput,
  errors: [],
  target: (input, db) => targetOfPlace(db, input),
  async handler({ input, db, actor, target, request }) {
    const environmentIds = await environmentsWithin(db, actor, target, "release:update");
    const { rows, ...page } = await listShareLinks(db, input, environmentIds);
    return { items: rows.map((row) => toShareLink(row, request.now)), ...page };
  },
});
