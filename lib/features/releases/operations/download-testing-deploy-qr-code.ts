import "server-only";
import { toBuffer } from "qrcode";
import { defineDownload } from "@/lib/api/operation";
import { installUrl } from "../data/answers";
import { releaseTarget } from "../data/releases";
import { releaseIdInput } from "../schema";

/** Pixels of a module, so that the image is large enough to be printed. */
const MODULE_PIXELS = 8;
/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const QUIET_ZONE = 4;
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
    const image = await toBuffer(installUrl(release.id), {
      type: "png",
      errorCorrectionLevel: "M",
      scale: MODULE_PIXELS,
      margin: QUIET_ZONE,
    });
    const headers = {
      "Content-Type": "image/png",
      "Content-Length": String(image.byteLength),
      "Cache-Control": `private, max-age=${MAX_AGE_SECONDS}`,
    };
    return { status: 200, headers, body: image };
  },
});
