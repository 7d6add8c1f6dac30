import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { revokeTokens } from "@/lib/auth/one-time-tokens";
import { auditedFields, lockShareLink, removeShareLink, shareLinkTarget } from "../data";
import { shareLinkIdInput } from "../schema";

/** Deletes a share link. Its page says from then on that the link has ended. */
export const deleteShareLink = defineCommand({
  area: "share-links",
  name: "delete-share-link",
  summary: "Delete a share link",
  access: "release:update",
  input: shareLinkIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "ShareLink", action: "delete" },
  target: ({ id }, db) => shareLinkTarget(db, id),
  async handler({ input: { id }, tx, request }) {
    const link = await lockShareLink(tx, id);
    await removeShareLink(tx, link, request.now);
    await revokeTokens(tx, { purpose: "share-link", subject: id });
    return { output: undefined, audit: { recordId: id, changes: changesBetween(auditedFields(link), null) } };
  },
});
