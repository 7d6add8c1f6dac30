import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { qrCodeAnswer } from "@/lib/api/qr-code";
import { shareLinkTarget, shareLinkUrl } from "../data";
import { unsealCode } from "../internal/code";
import { shareLinkIdInput } from "../schema";

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
    return qrCodeAnswer(shareLinkUrl(unsealCode(link)), "private, no-store");
  },
});
