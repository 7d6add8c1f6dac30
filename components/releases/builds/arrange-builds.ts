import type { DeviceFacts, Reason } from "@slipway/installers";
import { hasDeviceFile, platformKindOf, releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import type { System } from "./system";

/** The operating system that a release is for. */
export function systemOfRelease({ installer }: Pick<Release, "installer">): System {
  return platformKindOf(installer.kind);
}

/** The builds of an application as a tester wants to see them. */
interface ArrangedBuilds {
  /** The latest build that this device installs, or the latest one if it installs none; null if there is none. */
  latest: Release | null;
  /** The latest build, if this device does not install it, with the reason. */
  newer: { release: Release; reason: Reason } | null;
  /** The builds before it for the same operating system, latest first. */
  older: Release[];
  /** The builds for other operating systems, and app bundles that no device installs, or whose build has an APK of its own. */
  others: Release[];
}

/**
 * Sorts the builds of an application for a device.
 *
 * @param releases latest first
 * @param options.system the operating system to show; null for the one of the latest build
 * @param options.mayDownload whether the user may download a release
 */
export function arrangeBuilds(
  releases: readonly Release[],
  device: DeviceFacts,
  { system, mayDownload, now }: { system: System | null; mayDownload: (release: Release) => boolean; now: Date },
): ArrangedBuilds {
  const refusal = (release: Release) =>
    releaseVerdict(releaseInstallFacts(release), device, { now, mayDownload: mayDownload(release) }).refusal;
  const hasApk = ({ version, buildNumber }: Release) =>
    releases.some((one) => one.installer.kind === "apk" && one.version === version && one.buildNumber === buildNumber);
  const installers = releases.filter(
    (release) => hasDeviceFile(release) && !(release.installer.kind === "aab" && hasApk(release)),
  );
  const wanted = installers.filter((release) => system === null || systemOfRelease(release) === system);
  const latest = wanted.find((release) => refusal(release) === null) ?? wanted[0] ?? null;
  if (!latest) return { latest, newer: null, older: [], others: [...releases] };
  const same = wanted.filter((release) => systemOfRelease(release) === systemOfRelease(latest));
  const [first] = same;
  const reason = first && first !== latest ? refusal(first) : null;
  return {
    latest,
    newer: first && reason ? { release: first, reason } : null,
    older: same.slice(same.indexOf(latest) + 1),
    others: releases.filter((release) => !same.includes(release)),
  };
}
