import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { recordVisit, toOpenedLink, visit } from "../internal/visit";
import { visitorOf } from "../internal/visitors";
import { isOpenedByPerson } from "../rules";
import { openedShareLinkSchema, openShareLinkInput } from "../schema";

/** What a share link opens on the device that asks. A call counts as an opening of its page. */
export const openShareLink = defineQuery({
  area: "share-links",
  name: "open-share-link",
  summary: "Get what a share link opens",
  access: "public",
  input: openShareLinkInput,
  output: openedShareLinkSchema,
  errors: ["not_found", "link_ended", "password_required"],
  async handler({ input: { code }, request }) {
    const visited = await visit(code, request);
    if (isOpenedByPerson(request)) await recordVisit(visited, visitorOf(visited.link.id, request).visitor, request.now);
    return toOpenedLink(visited, code, request.now);
  },
});
