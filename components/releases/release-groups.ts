import type { Release } from "@/lib/features/releases/schema";

/** The releases of one version and build in an environment, such as those for iOS and Android. */
export interface ReleaseGroup {
  key: string;
  /** The one that is shown: the first that a device can install. */
  lead: Release;
  /** In the order of `KINDS`. */
  releases: readonly Release[];
}

/** App bundles, which no device installs, are last. */
const KINDS: readonly Release["installer"]["kind"][] = ["ipa", "apk", "aab"];

/**
 * Groups the releases of a list by version, build and environment. A group is where its first release is. Of several
 * releases of the same platform and kind, the first is listed first.
 */
export function groupReleases(releases: readonly Release[]): ReleaseGroup[] {
  const groups = Map.groupBy(releases, ({ environment, version, buildNumber }) =>
    JSON.stringify([environment.id, version, buildNumber]),
  );
  return [...groups].map(([key, members]) => {
    const ordered = members.toSorted((a, b) => KINDS.indexOf(a.installer.kind) - KINDS.indexOf(b.installer.kind));
    return { key, lead: ordered[0] as Release, releases: ordered };
  });
}

/** The name of a release's installer beside others of the same version: the platform for iOS, otherwise the format. */
export function installerName({ platform, installer }: Pick<Release, "platform" | "installer">): string {
  if (installer.kind === "ipa") return platform.name;
  const format = installer.kind.toUpperCase();
  return platform.kind === "android" ? format : `${platform.name} ${format}`;
}
