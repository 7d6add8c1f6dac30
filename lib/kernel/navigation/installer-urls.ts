import "server-only";
import { env } from "@/lib/kernel/env";

/** What iOS fetches of a release. */
type AppleFilePart = "manifest" | "ipa" | "icon" | "icon-large";

/**
 * The URL of a part of a release, with the token that grants access. iOS installs over HTTPS only, so APP_URL must be an
 * HTTPS URL.
 */
export function appleFileUrl(token: string, part: AppleFilePart): string {
  const url = new URL("/api/apps/download-testing-deploy-apple-file", env.APP_URL);
  url.searchParams.set("token", token);
  if (part !== "manifest") url.searchParams.set("part", part);
  return url.href;
}

/** The link that makes iOS install the app of a manifest. */
export function appleInstallUrl(manifestUrl: string): string {
  return `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}`;
}

/** The URL of a release's installer, with the token that grants access. */
export function installerUrl(token: string): string {
  return `${env.APP_URL}/api/apps/download-testing-deploy-by-token?token=${encodeURIComponent(token)}`;
}
