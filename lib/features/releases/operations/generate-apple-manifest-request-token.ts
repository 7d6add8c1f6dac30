import "server-only";
import { deviceFromHeaders } from "@slipway/installers";
import { defineCommand } from "@/lib/api/operation";
import { issueToken } from "@/lib/auth/one-time-tokens";
import { ApiError } from "@/lib/kernel/errors";
import { appleFileUrl, appleInstallUrl } from "@/lib/kernel/navigation/installer-urls";
import { browserDevice } from "@/lib/visits/device";
import { recordStep } from "@/lib/visits/record";
import { encodeVisitor, userVisitor } from "@/lib/visits/visitor";
import { installsOnApple } from "../data/answers";
import { releaseTarget } from "../data/releases";
import { appleLinkSchema, releaseIdInput } from "../schema";

/**
 * Creates the link with which Safari on an iPhone or iPad installs a release. iOS fetches the files without cookies,
 * repeatedly and in ranges, so the link contains a token that grants access to this release for 15 minutes.
 */
export const generateAppleManifestRequestToken = defineCommand({
  area: "apps",
  name: "generate-apple-manifest-request-token",
  summary: "Create a link that installs a release on an iPhone or iPad",
  access: "release:download",
  forGroups: true,
  input: releaseIdInput,
  output: appleLinkSchema,
  status: 200,
  errors: ["ios_disabled"],
  audit: { table: "Release", action: "create-install-link" },
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ target: { release }, actor, tx, request, after }) {
    if (!installsOnApple(release)) throw new ApiError("ios_disabled");
    // Programs with an API token are no visitors.
    const visitor = actor.kind === "user" ? userVisitor(actor.userId) : null;
    const { token, expiresAt } = await issueToken(tx, {
      purpose: "manifest",
      subject: release.id,
      ...(visitor && { visitor: encodeVisitor(visitor) }),
      now: request.now,
    });
    if (visitor) {
      const device = browserDevice(deviceFromHeaders(request.headers), visitor);
      const tap = {
        releaseId: release.id,
        visitor,
        at: request.now,
        step: "tapped",
        hasManifest: true,
        device,
      } as const;
      after(async () => recordStep(tap));
    }
    const manifestUrl = appleFileUrl(token, "manifest");
    const output = {
      token,
      expiresAt: expiresAt.toISOString(),
      manifestUrl,
      installUrl: appleInstallUrl(manifestUrl),
    };
    return { output, audit: { recordId: release.id, changes: { linkExpiresAt: [null, output.expiresAt] } } };
  },
});
