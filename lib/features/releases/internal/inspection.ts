import "server-only";
import { type Installer, type InstallerDetails, installerDetails } from "@slipway/installers";
import { ApiError } from "@/lib/kernel/errors";
import type { ThreadCaller } from "@/lib/kernel/thread-queue";
import { inspectInstallerOf, type StoredInstaller } from "@/lib/storage/inspection";

/** The maximum size of installer details as JSON. Those of a usual app take a few kilobytes; lists contain them. */
const MAX_DETAILS_CHARACTERS = 256 * 1024;

/** @throws ApiError invalid_installer if the details are too large to be stored */
function requireKeepable(details: InstallerDetails): void {
  if (JSON.stringify(details).length <= MAX_DETAILS_CHARACTERS) return;
  const params = { limitKb: MAX_DETAILS_CHARACTERS / 1024 };
  throw new ApiError("invalid_installer", { detailKey: "details_too_large", params });
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
  requireKeepable(details);
  return { installer, details };
}
