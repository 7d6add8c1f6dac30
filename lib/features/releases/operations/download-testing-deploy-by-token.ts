import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { recordDownload } from "@/lib/features/releases/internal/download-records";
import { hasUniversal, packageOf, serveInstaller, serveUniversal } from "@/lib/features/releases/internal/serving";
import { recordPackage } from "@/lib/visits/package";
import { linkedReleaseTarget } from "../data/releases";
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
  target: (_input, db, _actor, link) => linkedReleaseTarget(db, link),
  async handler({ target: { release, visitor }, request, after }) {
    const reply = await (hasUniversal(release) ? serveUniversal(release, request) : serveInstaller(release, request));
    if (visitor) {
      const visit = { releaseId: release.id, visitor, package: packageOf(release, hasUniversal(release)) };
      recordPackage(reply, request, { ...visit, hasManifest: false });
    }
    const download = { releaseId: release.id, userId: null, byLink: true, kind: "download" as const };
    after(() => recordDownload(download, request, reply.status));
    return reply;
  },
});
