import "server-only";
import { toBuffer } from "qrcode";

/** Pixels of a module, so that the image is large enough to be printed. */
const MODULE_PIXELS = 8;
/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const QUIET_ZONE = 4;

/** Answers with an address as a QR code (ISO/IEC 18004), a PNG image that contains nothing but the address. */
export async function qrCodeAnswer(address: string, cacheControl: string) {
  const image = await toBuffer(address, {
    type: "png",
    errorCorrectionLevel: "M",
    scale: MODULE_PIXELS,
    margin: QUIET_ZONE,
  });
  const headers = {
    "Content-Type": "image/png",
    "Content-Length": String(image.byteLength),
    "Cache-Control": cacheControl,
  };
  return { status: 200, headers, body: image };
}
