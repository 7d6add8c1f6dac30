import "server-only";
import { toString as toText } from "qrcode";
import { type Html, trustedHtml } from "@/lib/kernel/html";

/** Drawing a code takes about as long as the rest of a page. */
const MAX_KEPT = 500;

const kept = new Map<string, Html>();

/** A text as a QR code (ISO/IEC 18004), drawn in the page. The element around it gives the quiet zone. */
export async function qrCode(text: string): Promise<Html> {
  const known = kept.get(text);
  if (known) return known;
  const drawn = trustedHtml(await toText(text, { type: "svg", errorCorrectionLevel: "M", margin: 0 }));
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(text, drawn);
  return drawn;
}
