"use client";

import { DESKTOP } from "@slipway/installers";
import { useNow } from "next-intl";
import { releaseVerdict } from "@/lib/features/releases/rules";
import type { ReleaseSummary } from "../release-summary";
import { InstallButton, type InstallButtonProps } from "./install-button";
import { useDevice } from "./use-device";

export type InstallAnyButtonProps = Omit<InstallButtonProps, "release"> & { releases: readonly ReleaseSummary[] };

/** Installs the one of several releases of a version that this device can install. */
export function InstallAnyButton({ releases, mayDownload, ...props }: InstallAnyButtonProps) {
  const device = useDevice(DESKTOP);
  const now = useNow();
  const installable = releases.find(({ facts }) => releaseVerdict(facts, device, { now, mayDownload }).way !== null);
  return (
    <InstallButton release={installable ?? (releases[0] as ReleaseSummary)} mayDownload={mayDownload} {...props} />
  );
}
