import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { requestUniversalApks } from "@/lib/jobs/universal-apks";
import { ApiError } from "@/lib/kernel/errors";
import { toRelease } from "../data/answers";
import { lockRelease, releaseTarget, requestUniversal } from "../data/releases";
import { detailsOf } from "../data/rows";
import { releaseIdInput, releaseSchema } from "../schema";

/** Has the console make the APK of an app bundle again that it could not make, or make that of an older one. */
export const retryUniversalApk = defineCommand({
  area: "apps",
  name: "retry-universal-apk",
  summary: "Make the APK for all devices of an app bundle, if there is none",
  access: "release:update",
  input: releaseIdInput,
  output: releaseSchema,
  status: 202,
  errors: ["conflict"],
  audit: { table: "Release", action: "retry-universal-apk" },
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input: { id }, tx }) {
    const release = await lockRelease(tx, id);
    if (detailsOf(release).kind !== "aab" || release.universalState === "ready") {
      throw new ApiError("conflict", { detailKey: "detailUniversal" });
    }
    const requested = await requestUniversal(tx, id);
    await requestUniversalApks(tx);
    return {
      output: toRelease(requested),
      audit: { recordId: id, changes: { universalState: [release.universalState, "pending"] } },
    };
  },
});
