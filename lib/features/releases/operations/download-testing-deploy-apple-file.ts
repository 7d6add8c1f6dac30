import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { appleIcon } from "@/lib/features/releases/internal/apple-icon";
import { appleManifest } from "@/lib/features/releases/internal/apple-manifest";
import { recordDownload } from "@/lib/features/releases/internal/download-records";
import { packageOf, serveInstaller } from "@/lib/features/releases/internal/serving";
import type { BinaryReply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { appleFileUrl } from "@/lib/kernel/navigation/installer-urls";
import { installerDevice } from "@/lib/visits/device";
import { recordPackage } from "@/lib/visits/package";
import { recordStep } from "@/lib/visits/record";
import type { Visitor } from "@/lib/visits/visitor";
import { installsOnApple } from "../data/answers";
import { linkedReleaseTarget } from "../data/releases";
import type { ReleaseRow } from "../data/rows";
import { appleFileInput } from "../schema";

/** The side lengths that Apple requires for the two images of a manifest, in pixels. */
const DISPLAY_SIDE = 57;
const FULL_SIZE_SIDE = 512;

/** Headers of generated responses, which must not be cached. */
function made(content: string | Uint8Array, contentType: string): BinaryReply {
  const headers = {
    "Content-Type": contentType,
    "Content-Length": String(Buffer.byteLength(content)),
    "Cache-Control": "no-store",
  };
  return { status: 200, headers, body: content };
}

function manifestOf(release: ReleaseRow, token: string): string {
  return appleManifest({
    identifier: release.identifier,
    version: release.version,
    title: release.displayName,
    packageUrl: appleFileUrl(token, "ipa"),
    displayImageUrl: appleFileUrl(token, "icon"),
    fullSizeImageUrl: appleFileUrl(token, "icon-large"),
  });
}

/** Records that the installation of a link has gone on; nothing of a link that says not whose it is. */
function recordProgress(
  { id: releaseId }: ReleaseRow,
  visitor: Visitor | null,
  step: "manifest" | "icons",
  { method, now: at, userAgent }: RequestFacts,
): void {
  if (visitor === null || method !== "GET") return;
  const device = installerDevice(userAgent);
  recordStep({ releaseId, visitor, at, step, hasManifest: true, ...(device && { device }) });
}

/** The files that iOS fetches to install a release: manifest, installer and two images. The token grants access. */
export const downloadTestingDeployAppleFile = defineDownload({
  area: "apps",
  name: "download-testing-deploy-apple-file",
  summary: "Get what iOS needs to install a release, with a token of generate-apple-manifest-request-token",
  access: { link: "manifest" },
  input: appleFileInput,
  contentTypes: ["application/xml", "application/octet-stream", "image/png"],
  errors: ["ios_disabled"],
  target: (_input, db, _actor, link) => linkedReleaseTarget(db, link),
  async handler({ input: { token, part }, target: { release, visitor }, request, after }) {
    if (!installsOnApple(release)) throw new ApiError("ios_disabled");

    if (part === "manifest") {
      recordProgress(release, visitor, "manifest", request);
      return made(manifestOf(release, token), "application/xml; charset=utf-8");
    }
    if (part !== "ipa") {
      const side = part === "icon" ? DISPLAY_SIDE : FULL_SIZE_SIDE;
      const iconKey = release.iconFile?.storageKey ?? null;
      const icon = await appleIcon({ id: release.id, iconKey }, side, request.signal);
      recordProgress(release, visitor, "icons", request);
      return made(icon, "image/png");
    }
    const reply = await serveInstaller(release, request);
    if (visitor) {
      const file = packageOf(release, false);
      const device = installerDevice(request.userAgent);
      const visit = { releaseId: release.id, visitor, package: file, hasManifest: true, ...(device && { device }) };
      recordPackage(reply, request, visit);
    }
    const download = { releaseId: release.id, userId: null, byLink: true, kind: "install" as const };
    after(() => recordDownload(download, request, reply.status));
    return reply;
  },
});
