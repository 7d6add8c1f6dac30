import "server-only";
import type { Installer } from "@slipway/installers";
import { type InstallerDetails, InstallerError, inspectInstaller, installerDetails } from "@slipway/installers";
import { requireKeepable } from "@/lib/features/releases/rules";
import { ApiError } from "@/lib/kernel/errors";
import { storage } from "@/lib/storage";
import { storedSource } from "@/lib/storage/source";

/**
 * Reads a stored installer, by the few ranges of it that say what it is.
 * @throws ApiError invalid_installer with the reason; StorageError
 */
export async function inspectStored(file: {
  storageKey: string;
  name: string;
  /** Bytes. */
  size: number;
}): Promise<{ installer: Installer; details: InstallerDetails }> {
  try {
    const source = storedSource(storage(), file.storageKey, file.size);
    const installer = await inspectInstaller(source, { fileName: file.name });
    const details = installerDetails(installer);
    requireKeepable(installer, details);
    return { installer, details };
  } catch (error) {
    if (!(error instanceof InstallerError)) throw error;
    throw new ApiError("invalid_installer", { detailKey: error.reason, params: { ...error.params } });
  }
}
