import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { revokeTokens } from "@/lib/auth/one-time-tokens";
import { hashPassword } from "@/lib/auth/passwords";
import { actorId } from "@/lib/permissions/actor";
import { auditedFields, lockShareLink, shareLinkTarget, toShareLink, updateShareLink as write } from "../data";
import { shareLinkSchema, updateShareLinkInput } from "../schema";

/** Changes a share link, or ends it. Its address stays the same. With a new password, browsers that knew the old one ask again. */
export const updateShareLink = defineCommand({
  area: "share-links",
  name: "update-share-link",
  summary: "Change a share link, or end it",
  access: "release:update",
  secondFactor: "recentIfEnrolled",
  input: updateShareLinkInput,
  output: shareLinkSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "ShareLink", action: "update" },
  target: ({ id }, db) => shareLinkTarget(db, id),
  prepare: async ({ input: { password }, actor }) =>
    password ? hashPassword(password, { lane: "link", id: actorId(actor) }) : password,
  async handler({ input, tx, prepared: passwordHash, request }) {
    const { id, ifUpdatedAt, password: _, ...data } = input;
    const before = await lockShareLink(tx, id);
    requireUnchanged(before, ifUpdatedAt);
    const after = await write(tx, id, { ...data, passwordHash });
    if (passwordHash !== undefined) await revokeTokens(tx, { purpose: "share-link", subject: id });
    return {
      output: toShareLink(after, request.now),
      audit: { recordId: id, changes: changesBetween(auditedFields(before), auditedFields(after)) },
    };
  },
});
