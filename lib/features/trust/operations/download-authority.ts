import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { contentDisposition } from "@/lib/http/content-disposition";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { requireAuthority } from "../internal/authority";
import { trustProfile } from "../internal/profile";
import { downloadAuthorityInput } from "../schema";

/** The types by which Safari offers to install a profile or a certificate. Android stores both as a file. */
const TYPES = { certificate: "application/x-x509-ca-cert", profile: "application/x-apple-aspen-config" } as const;
const NAMES = { certificate: "slipway.crt", profile: "slipway.mobileconfig" } as const;

/** The certificate that devices install to trust a console on the local network. */
export const downloadAuthority = defineDownload({
  area: "trust",
  name: "download-authority",
  summary: "Download the certificate of that authority, also as a configuration profile for Apple devices",
  access: "public",
  input: downloadAuthorityInput,
  contentTypes: Object.values(TYPES),
  errors: ["not_found"],
  async handler({ input: { format }, request }) {
    const { certificate, name } = await requireAuthority();
    const description = translatorFor(request.locale)("trust.profileDescription", { name });
    const body = format === "profile" ? trustProfile(certificate, { name, description }) : String(certificate);
    return {
      status: 200,
      body,
      headers: {
        "Content-Type": TYPES[format],
        "Content-Length": String(Buffer.byteLength(body)),
        "Content-Disposition": contentDisposition(NAMES[format]),
        "Cache-Control": "no-store",
      },
    };
  },
});
