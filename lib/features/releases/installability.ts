import {
  type Device,
  type Installability,
  type InstallFacts,
  type InstallNote,
  type InstallRefusal,
  installability,
  installFacts,
} from "@slipway/installers";
import type { Release } from "./schema";

/** The properties of a release that decide where it installs. */
export interface ReleaseInstallFacts extends InstallFacts {
  /** iPhones and iPads are allowed to install it. */
  iosEnabled: boolean;
  /** The console is reached over HTTPS. */
  https: boolean;
}

/** A device with the browser that shows the page. */
export interface BrowserDevice extends Device {
  /** The page is shown by another app's browser, which may not be allowed to install apps. */
  inAppBrowser: boolean;
}

/** Why a release does not install: by the file, by the device, or by the console's own rules. */
export type ReleaseInstallRefusal = InstallRefusal | PolicyRefusal;

type PolicyRefusal =
  /** The person's role does not include downloads. */
  "not-allowed" | "ios-disabled" | "needs-https";

/** What a person should know before installing. */
export type ReleaseInstallNote = InstallNote | { kind: "in-app-browser" };

type WithNotes<T> = T extends { notes: InstallNote[] } ? Omit<T, "notes"> & { notes: ReleaseInstallNote[] } : T;

/** The answer to "does this release install on that device?". */
export type ReleaseInstallability = WithNotes<Installability<ReleaseInstallRefusal>>;

/** The properties of a release that decide where it installs. */
export function releaseInstallFacts({
  installer,
  iosEnabled,
  minOs,
  installUrl,
}: Pick<Release, "installer" | "iosEnabled" | "minOs" | "installUrl">): ReleaseInstallFacts {
  return { ...installFacts(installer, minOs), iosEnabled, https: installUrl.startsWith("https:") };
}

/**
 * Decides whether a release installs on a device, and why not.
 *
 * @param options.mayDownload whether the person has the right to download it
 */
export function releaseInstallability(
  release: ReleaseInstallFacts,
  device: BrowserDevice,
  { now, mayDownload }: { now: Date; mayDownload: boolean },
): ReleaseInstallability {
  const outcome = installability(release, device, { now, policy: policyRefusal(release, mayDownload) });
  if (outcome.verdict === "refused" || !device.inAppBrowser) return outcome;
  return { ...outcome, notes: [{ kind: "in-app-browser" }, ...outcome.notes] };
}

function policyRefusal({ kind, iosEnabled, https }: ReleaseInstallFacts, mayDownload: boolean): PolicyRefusal | null {
  if (kind === "ipa" && !iosEnabled) return "ios-disabled";
  if (kind === "ipa" && !https) return "needs-https";
  return mayDownload ? null : "not-allowed";
}
