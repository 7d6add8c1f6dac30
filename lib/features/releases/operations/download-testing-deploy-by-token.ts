import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { recordDownload } from "@/lib/features/releases/internal/download-records";
import { hasUniversal, serveInstaller, serveUniversal } from "@/lib/features/releases/internal/serving";
import { releaseTarget } from "../data/releases";
import { beginsDownload, userAgentFamily } from "../rules";
import { installerTokenInput } from "../schema";

/** The installer of a release for a browser without a session. The token grants access, also to ranges of the file. */
export const downloadTestingDeployByToken = defineDownload({
  area: "apps",
  name: "download-testing-deploy-by-token",
  summary: "Download the installer of a release, with a token of begin-share-link-install",
  access: { link: "installer" },
  input: installerTokenInput,
  contentTypes: ["application/vnd.android.package-archive", "application/octet-stream"],
  errors: [],
  target: (_input, db, _actor, { subject }) => releaseTarget(db, subject),
  async handler({ target: { release }, request, after }) {
    const reply = await (hasUniversal(release) ? serveUniversal(release, request) : serveInstaller(release, request));
    if (beginsDownload(request, reply.status)) {
      const download = {
        releaseId: release.id,
        userId: null,
        byLink: true,
        userAgent: userAgentFamily(request.userAgent),
        kind: "download" as const,
        at: request.now,
      };
      after(() => recordDownload(download));
    }
    return reply;
  },
});
