import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { tokenTarget } from "@/lib/features/environments/data";
import { toRelease } from "@/lib/features/releases/data/answers";
import { latestRelease } from "@/lib/features/releases/data/latest";
import { invalidField } from "@/lib/kernel/errors";
import { getLatestReleaseInput, latestReleaseSchema } from "../schema";

/** Whether there is a newer release than the one that is installed, for the update prompt of an app. */
export const getLatestRelease = defineQuery({
  area: "client",
  name: "get-latest-release",
  summary: "Get the latest release for a platform, and whether the installed one must be updated",
  access: { client: "release:read" },
  input: getLatestReleaseInput,
  output: latestReleaseSchema,
  errors: [],
  signed: true,
  target: async (_input, _db, actor) => tokenTarget(actor),
  async handler({ input, target, db }) {
    const { platform, ...installed } = input;
    const latest = await latestRelease(db, target.environmentId, platform, installed);
    if (!latest.isPlatformKnown) throw invalidField("platform", "unknown");
    const release = latest.release && toRelease(latest.release);
    return {
      updateAvailable: latest.isNewer,
      mandatory: latest.isMandatory,
      release,
      installUrl: release?.installUrl ?? null,
    };
  },
});
