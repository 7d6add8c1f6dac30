import "server-only";
import { defineBodyQuery } from "@/lib/api/operation";
import { beginInstall } from "../internal/installing";
import { visit } from "../internal/visit";
import { visitorOf } from "../internal/visitors";
import { beginShareLinkInstallInput, shareLinkInstallSchema } from "../schema";

/**
 * Counts an installation from a share link, and returns the address that starts it: the manifest for iOS, or the file. Ranges and
 * retries at this address count no more.
 */
export const beginShareLinkInstall = defineBodyQuery({
  area: "share-links",
  name: "begin-share-link-install",
  summary: "Begin to install or download from a share link",
  access: "public",
  input: beginShareLinkInstallInput,
  output: shareLinkInstallSchema,
  errors: ["not_found", "link_ended", "password_required", "forbidden", "ios_disabled"],
  rateLimit: { points: 600, seconds: 60, by: "address" },
  async handler({ input: { code, way }, request }) {
    const visited = await visit(code, request);
    const { visitor } = visitorOf(visited.link.id, request);
    const { url, way: chosen, expiresAt } = await beginInstall(visited, { way, visitor, now: request.now });
    return { url, way: chosen, expiresAt };
  },
});
