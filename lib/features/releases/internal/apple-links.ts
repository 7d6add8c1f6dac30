import "server-only";
import type { AppleFilePart } from "@/lib/features/releases/schema";
import { env } from "@/lib/kernel/env";

/**
 * Where an iPhone or iPad finds a part of a release by a token alone. iOS installs over https only, so that APP_URL must
 * be an https address.
 */
export function appleFileUrl(token: string, part: AppleFilePart): string {
  const url = new URL("/api/apps/download-testing-deploy-apple-file", env.APP_URL);
  url.searchParams.set("token", token);
  if (part !== "manifest") url.searchParams.set("part", part);
  return url.href;
}

/** The link that has iOS install what a manifest names. */
export function appleInstallUrl(manifestUrl: string): string {
  return `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}`;
}
