import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { linkedTarget, listShareLinks, toShareLink } from "../data";
import { getShareLinksInput, shareLinksOutput } from "../schema";

/** The share links of an environment or of one release, newest first, with how often they were opened and installed. */
export const getShareLinks = defineQuery({
  area: "share-links",
  name: "get-share-links",
  summary: "List the share links of an environment or a release",
  access: "release:update",
  input: getShareLinksInput,
  output: shareLinksOutput,
  errors: [],
  target: (input, db) => linkedTarget(db, input),
  async handler({ input, db, target, request }) {
    const { rows, ...page } = await listShareLinks(db, { ...input, environmentId: target.environmentId });
    return { items: rows.map((row) => toShareLink(row, request.now)), ...page };
  },
});
