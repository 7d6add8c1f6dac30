import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { appleIcon } from "@/lib/features/releases/internal/apple-icon";
import { appleManifest } from "@/lib/features/releases/internal/apple-manifest";
import { recordDownload } from "@/lib/features/releases/internal/download-records";
import { serveInstaller } from "@/lib/features/releases/internal/serving";
import type { BinaryReply } from "@/lib/http/reply";
import { ApiError } from "@/lib/kernel/errors";
import { appleFileUrl } from "@/lib/kernel/navigation/installer-urls";
import { installsOnApple } from "../data/answers";
import { releaseTarget } from "../data/releases";
import type { ReleaseRow } from "../data/rows";
import { beginsDownload, userAgentFamily } from "../rules";
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

/** The files that iOS fetches to install a release: manifest, installer and two images. The token grants access. */
export const downloadTestingDeployAppleFile = defineDownload({
  area: "apps",
  name: "download-testing-deploy-apple-file",
  summary: "Get what iOS needs to install a release, with a token of generate-apple-manifest-request-token",
  access: { link: "manifest" },
  input: appleFileInput,
  contentTypes: ["application/xml", "application/octet-stream", "image/png"],
  errors: ["ios_disabled"],
  target: (_input, db, _actor, { subject }) => releaseTarget(db, subject),
  async handler({ input: { token, part }, target: { release }, request, after }) {
    if (!installsOnApple(release)) throw new ApiError("ios_disabled");

    if (part === "manifest") return made(manifestOf(release, token), "application/xml; charset=utf-8");
    if (part !== "ipa") {
      const side = part === "icon" ? DISPLAY_SIDE : FULL_SIZE_SIDE;
      const iconKey = release.iconFile?.storageKey ?? null;
      const icon = await appleIcon({ id: release.id, iconKey }, side, request.signal);
      return made(icon, "image/png");
    }
    const reply = await serveInstaller(release, request);
    if (beginsDownload(request, reply.status)) {
      const download = {
        releaseId: release.id,
        userId: null,
        byLink: true,
        userAgent: userAgentFamily(request.userAgent),
        kind: "install" as const,
        at: request.now,
      };
      after(() => recordDownload(download));
    }
    return reply;
  },
});
