import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { contentDisposition } from "@/lib/http/content-disposition";
import { env } from "@/lib/kernel/env";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { consoleName, requireEnrollment } from "../data";
import { enrollmentProfile } from "../internal/enrollment";
import { enrollmentTokenInput } from "../schema";

const CONTENT_TYPE = "application/x-apple-aspen-config";

/** The configuration profile that asks an iPhone or iPad for its UDID, signed by the console. It configures nothing. */
export const downloadEnrollmentProfile = defineDownload({
  area: "devices",
  name: "download-enrollment-profile",
  summary: "Download the profile that registers an iPhone or iPad",
  access: "public",
  input: enrollmentTokenInput,
  contentTypes: [CONTENT_TYPE],
  errors: ["invalid_token", "link_expired"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input: { token }, db, request }) {
    await requireEnrollment(db, token, request.now);
    const t = translatorFor(request.locale);
    const texts = {
      name: t("devices.profileName", { host: new URL(env.APP_URL).host }),
      organization: await consoleName(db),
      description: t("devices.profileDescription"),
    };
    const body = Buffer.from(await enrollmentProfile(token, texts, request.now));
    const headers = {
      "Content-Type": CONTENT_TYPE,
      "Content-Length": String(body.byteLength),
      "Content-Disposition": contentDisposition("slipway.mobileconfig"),
      "Cache-Control": "no-store",
    };
    return { status: 200, headers, body };
  },
});
