import "server-only";
import { deviceFromBrowser } from "@slipway/installers";
import { defineDownload } from "@/lib/api/operation";
import { recordDownload } from "@/lib/features/releases/internal/download-records";
import { packageOf, serveInstaller, serveUniversal } from "@/lib/features/releases/internal/serving";
import { browserDevice } from "@/lib/visits/device";
import { recordPackage } from "@/lib/visits/package";
import { userVisitor } from "@/lib/visits/visitor";
import { releaseTarget } from "../data/releases";
import { downloadInstallerInput } from "../schema";

/** The installer of a release. A download in several ranges is counted once. */
export const downloadTestingDeployFile = defineDownload({
  area: "apps",
  name: "download-testing-deploy-file",
  summary: "Download the installer of a release",
  access: "release:download",
  forGroups: true,
  input: downloadInstallerInput,
  contentTypes: ["application/vnd.android.package-archive", "application/octet-stream"],
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input: { variant }, target: { release }, actor, request, after }) {
    const reply = await (variant ? serveUniversal(release, request) : serveInstaller(release, request));
    if (actor.kind === "user") {
      const visitor = userVisitor(actor.userId);
      const device = browserDevice(deviceFromBrowser({ userAgent: request.userAgent ?? "" }), visitor);
      const file = packageOf(release, variant !== undefined);
      recordPackage(reply, request, { releaseId: release.id, visitor, package: file, hasManifest: false, device });
    }
    const userId = actor.kind === "user" ? actor.userId : null;
    const download = { releaseId: release.id, userId, byLink: false, kind: "download" as const };
    after(() => recordDownload(download, request, reply.status));
    return reply;
  },
});
