import "server-only";
import { toBuffer } from "qrcode";
import { defineDownload } from "@/lib/api/operation";
import { requireEnrollment } from "../data";
import { enrollmentUrls } from "../internal/enrollment";
import { enrollmentTokenInput } from "../schema";

/** Pixels of a module. */
const MODULE_PIXELS = 8;
/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const QUIET_ZONE = 4;

/** The address of an enrolment as a QR code (ISO/IEC 18004), to open it on the device. */
export const downloadEnrollmentQrCode = defineDownload({
  area: "devices",
  name: "download-enrollment-qr-code",
  summary: "Get the QR code that opens the registration of a device",
  access: "public",
  input: enrollmentTokenInput,
  contentTypes: ["image/png"],
  errors: ["invalid_token", "link_expired"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input: { token }, db, request }) {
    await requireEnrollment(db, token, request.now);
    const image = await toBuffer(enrollmentUrls(token).enrollmentUrl, {
      type: "png",
      errorCorrectionLevel: "M",
      scale: MODULE_PIXELS,
      margin: QUIET_ZONE,
    });
    const headers = {
      "Content-Type": "image/png",
      "Content-Length": String(image.byteLength),
      "Cache-Control": "no-store",
    };
    return { status: 200, headers, body: image };
  },
});
