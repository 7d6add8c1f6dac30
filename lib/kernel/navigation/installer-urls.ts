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

/** The ways in which a device installs, by the link that iOS opens or by the file, with the purpose of the token that each needs. */
export const INSTALL_PURPOSES = { "itms-services": "manifest", download: "installer" } as const;
export type InstallWay = keyof typeof INSTALL_PURPOSES;

/** The URL that starts an installation, with the token that grants access. */
export function installStartUrl(way: InstallWay, token: string): string {
  return way === "download" ? installerUrl(token) : appleInstallUrl(appleFileUrl(token, "manifest"));
}

/** The way of an installation, by the purpose of its token. */
export function installWayOf(purpose: (typeof INSTALL_PURPOSES)[InstallWay]): InstallWay {
  return purpose === "manifest" ? "itms-services" : "download";
}
