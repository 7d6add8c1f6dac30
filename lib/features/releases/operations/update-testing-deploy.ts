import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { auditedText, auditedTexts } from "@/lib/audit/texts";
import { changesBetween } from "@/lib/audit/write";
import { toRelease } from "../data/answers";
import { lockRelease, releaseTarget, updateRelease } from "../data/releases";
import type { ReleaseRow } from "../data/rows";
import { requireFileName } from "../rules";
import { releaseSchema, updateTestingDeployInput } from "../schema";

function changeable({ description, fileName, iosEnabled, mandatory, keep, metadata }: ReleaseRow) {
  const texts = { description: auditedText(description), metadata: auditedTexts(metadata as Record<string, string>) };
  return { ...texts, fileName, iosEnabled, mandatory, keep };
}

/** Changes the fields of a release that users enter. Those read from the installer cannot be changed. */
export const updateTestingDeploy = defineCommand({
  area: "apps",
  name: "update-testing-deploy",
  summary: "Change a release",
  access: "release:update",
  input: updateTestingDeployInput,
  output: releaseSchema,
  status: 200,
  errors: ["conflict"],
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  audit: { table: "Release", action: "update" },
  maxJsonBytes: 512 * 1024,
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input, tx }) {
    const { id, ifUpdatedAt, ...data } = input;
    const before = await lockRelease(tx, id);
    requireUnchanged(before, ifUpdatedAt);
    requireFileName(data.fileName, toRelease(before).installer.kind);
    const updated = await updateRelease(tx, id, data);
    return {
      output: toRelease(updated),
      audit: { recordId: id, changes: changesBetween(changeable(before), changeable(updated)) },
    };
  },
});
