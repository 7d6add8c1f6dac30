import "server-only";
import { type Installer, type InstallerDetails, installerDetails } from "@slipway/installers";
import { MAX_VERSION } from "@/lib/features/releases/schema";
import { ApiError } from "@/lib/kernel/errors";
import type { ThreadCaller } from "@/lib/kernel/thread-queue";
import { inspectInstallerOf, type StoredInstaller } from "@/lib/storage/inspection";

/** The maximum length of `minOs`, in characters. */
const MAX_MIN_OS = 30;
/** The maximum size of installer details as JSON. Those of a usual app take a few kilobytes; lists contain them. */
const MAX_DETAILS_CHARACTERS = 256 * 1024;

/** @throws ApiError invalid_installer if a value in the installer is too long to be stored */
function requireKeepable(installer: Installer, details: InstallerDetails): void {
  const { version, buildNumber, minOs } = installer;
  if (
    version.length > MAX_VERSION ||
    buildNumber.length > MAX_VERSION ||
    (minOs?.length ?? 0) > MAX_MIN_OS ||
    JSON.stringify(details).length > MAX_DETAILS_CHARACTERS
  ) {
    throw new ApiError("invalid_installer");
  }
}

/**
 * Inspects a stored installer. Only the ranges that describe it are read.
 * @throws ApiError invalid_installer with the reason, unavailable if the queue is full; StorageError; the signal's reason
 */
export async function inspectStored(
  file: StoredInstaller,
  caller: ThreadCaller,
): Promise<{ installer: Installer; details: InstallerDetails }> {
  const installer = await inspectInstallerOf(file, caller);
  const details = installerDetails(installer);
  requireKeepable(installer, details);
  return { installer, details };
}
