import type { Release } from "@/lib/features/releases/schema";

/** App bundles, which no device installs, are last. */
const KINDS: readonly Release["installer"]["kind"][] = ["ipa", "apk", "aab"];

/** The releases of a build in the order in which they are shown: iOS first, app bundles last. */
export function inOrderOfKinds<R extends Pick<Release, "installer">>(releases: readonly R[]): R[] {
  return releases.toSorted((a, b) => KINDS.indexOf(a.installer.kind) - KINDS.indexOf(b.installer.kind));
}

/** The name of a release's installer beside others of the same version: the platform for iOS, otherwise the format. */
export function installerName({ platform, installer }: Pick<Release, "platform" | "installer">): string {
  if (installer.kind === "ipa") return platform.name;
  const format = installer.kind.toUpperCase();
  return platform.kind === "android" ? format : `${platform.name} ${format}`;
}
