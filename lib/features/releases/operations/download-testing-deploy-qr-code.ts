import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { qrCodeAnswer } from "@/lib/api/qr-code";
import { installUrl } from "../data/answers";
import { releaseTarget } from "../data/releases";
import { releaseIdInput } from "../schema";

/** The link of a release does not change. */
const MAX_AGE_SECONDS = 86_400;

/** The install link of a release as a QR code (ISO/IEC 18004). It contains nothing but the link. */
export const downloadTestingDeployQrCode = defineDownload({
  area: "apps",
  name: "download-testing-deploy-qr-code",
  summary: "Get the QR code of the install link of a release",
  access: "release:read",
  forGroups: true,
  input: releaseIdInput,
  contentTypes: ["image/png"],
  errors: [],
  rateLimit: { points: 300, seconds: 60, by: "actor" },
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ target: { release } }) {
    return qrCodeAnswer(installUrl(release.id), `private, max-age=${MAX_AGE_SECONDS}`);
  },
});
