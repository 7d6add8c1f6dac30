import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { qrCodeAnswer } from "@/lib/api/qr-code";
import { requireEnrollment } from "../data";
import { enrollmentUrls } from "../internal/enrollment";
import { enrollmentTokenInput } from "../schema";

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
    return qrCodeAnswer(enrollmentUrls(token).enrollmentUrl, "no-store");
  },
});
