import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { auditedText } from "@/lib/audit/texts";
import { changesBetween } from "@/lib/audit/write";
import { causeOf } from "@/lib/permissions/actor";
import { moveToBin } from "@/lib/storage/bin";
import { toRelease } from "../data/answers";
import { lockRelease, releaseTarget } from "../data/releases";
import { deletedEvent } from "../internal/release-events";
import { releaseIdInput } from "../schema";

/** Deletes a release. For seven days, it can be restored from the bin; then its files are removed, if nothing else refers to them. */
export const deleteTestingDeploy = defineCommand({
  area: "apps",
  name: "delete-testing-deploy",
  summary: "Delete a release",
  access: "release:delete",
  input: releaseIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Release", action: "delete" },
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input, actor, tx, request }) {
    const release = await lockRelease(tx, input.id);
    await moveToBin(tx, release.id, { reason: "deleted", ...causeOf(actor), now: request.now });
    const { version, buildNumber, identifier, description, fileName, size, sha256 } = toRelease(release);
    const named = { environmentId: release.environmentId, version, buildNumber, identifier };
    const facts = { ...named, description: auditedText(description) };
    return {
      output: undefined,
      audit: { recordId: release.id, changes: changesBetween({ ...facts, fileName, size, sha256 }, null) },
      events: [deletedEvent(release, actor)],
    };
  },
});
