import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { hashPassword } from "@/lib/auth/passwords";
import { findPlatform } from "@/lib/features/platforms/data";
import { creatorColumns } from "@/lib/features/releases/data/releases";
import { targetOfPlace } from "@/lib/features/releases/data/targets";
import { invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { actorId } from "@/lib/permissions/actor";
import { auditedFields, createShareLink as insert, toShareLink } from "../data";
import { hashOfCode, newCode, sealCode } from "../internal/code";
import { createShareLinkInput, shareLinkSchema } from "../schema";

/** Creates a link with which anyone opens a release, or always the latest one of an environment, without an account. */
export const createShareLink = defineCommand({
  area: "share-links",
  name: "create-share-link",
  summary: "Create a link that opens a release without an account",
  access: "release:update",
  secondFactor: "recentIfEnrolled",
  input: createShareLinkInput,
  output: shareLinkSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "ShareLink", action: "create" },
  target: (input, db) => targetOfPlace(db, input),
  prepare: async ({ input: { password }, actor }) =>
    password ? hashPassword(password, { lane: "link", id: actorId(actor) }) : null,
  async handler({ input, target, actor, tx, prepared: passwordHash, request }) {
    const { releaseId = null, platformId = null, name, onlyPhones, showNotes } = input;
    if (platformId !== null && !(await findPlatform(tx, platformId))) throw invalidField("platformId", "unknown");
    const id = newId();
    const code = newCode();
    const row = await insert(tx, {
      id,
      environmentId: target.environmentId,
      releaseId,
      platformId,
      followsLatest: releaseId === null,
      name,
      codeHash: hashOfCode(code),
      code: sealCode(id, code),
      passwordHash,
      expiresAt: input.expiresAt ?? null,
      maxInstalls: input.maxInstalls ?? null,
      onlyPhones,
      showNotes,
      ...creatorColumns(actor),
    });
    const changes = changesBetween(null, auditedFields(row));
    return { output: toShareLink(row, request.now), audit: { recordId: id, changes } };
  },
});
