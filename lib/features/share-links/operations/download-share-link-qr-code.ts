import "server-only";
import { toBuffer } from "qrcode";
import { defineDownload } from "@/lib/api/operation";
import { shareLinkTarget, shareLinkUrl } from "../data";
import { unsealCode } from "../internal/code";
import { shareLinkIdInput } from "../schema";

/** Pixels of a module, so that the image is large enough to be printed. */
const MODULE_PIXELS = 8;
/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const QUIET_ZONE = 4;

/** The address of a share link as a QR code (ISO/IEC 18004). It contains nothing but the address. */
export const downloadShareLinkQrCode = defineDownload({
  area: "share-links",
  name: "download-share-link-qr-code",
  summary: "Get the QR code of a share link",
  access: "release:update",
  input: shareLinkIdInput,
  contentTypes: ["image/png"],
  errors: [],
  rateLimit: { points: 300, seconds: 60, by: "actor" },
  target: ({ id }, db) => shareLinkTarget(db, id),
  async handler({ target: { link } }) {
    const image = await toBuffer(shareLinkUrl(unsealCode(link)), {
      type: "png",
      errorCorrectionLevel: "M",
      scale: MODULE_PIXELS,
      margin: QUIET_ZONE,
    });
    const headers = {
      "Content-Type": "image/png",
      "Content-Length": String(image.byteLength),
      "Cache-Control": "private, no-store",
    };
    return { status: 200, headers, body: image };
  },
});
