import "server-only";
import { toRelease } from "@/lib/features/releases/data/answers";
import type { ReleaseRow } from "@/lib/features/releases/data/rows";
import { installerContentType } from "@/lib/features/releases/rules";
import type { BinaryReply } from "@/lib/http/reply";
import { ApiError } from "@/lib/kernel/errors";
import { safeFileName } from "@/lib/kernel/file-name";
import { storage } from "@/lib/storage";
import { serveStored } from "@/lib/storage/serve";
import type { Package } from "@/lib/visits/state";

/** Answers a request for a release's installer with its conditions and ranges, or redirects to the store. */
export function serveInstaller(
  release: ReleaseRow,
  request: { method: string; headers: Headers },
): Promise<BinaryReply> {
  const { fileName, size, sha256, installer, deployDate } = toRelease(release);
  const file = {
    key: release.file.storageKey,
    size,
    sha256,
    contentType: installerContentType(installer.kind),
    fileName,
    lastModified: new Date(deployDate),
  };
  return serveStored(storage(), file, request, { redirect: true });
}

/** Whether devices get an APK of a bundle. */
export function hasUniversal(release: ReleaseRow): boolean {
  return release.universalState === "ready" && release.universal !== null;
}

/**
 * Answers a request for the APK that was made of a bundle, as `serveInstaller`.
 * @throws ApiError not_found if there is none
 */
export async function serveUniversal(
  release: ReleaseRow,
  request: { method: string; headers: Headers },
): Promise<BinaryReply> {
  const { universal, fileName, file: bundle, deployDate } = release;
  if (!universal || !hasUniversal(release)) throw new ApiError("not_found");
  const file = {
    key: universal.storageKey,
    size: universal.size,
    sha256: universal.sha256 as string,
    contentType: installerContentType("apk"),
    fileName: safeFileName((fileName ?? bundle.name).replace(/\.aab$/i, ".apk"), ["apk"]),
    lastModified: deployDate,
  };
  return serveStored(storage(), file, request, { redirect: true });
}

/** The file that a device gets: that of a release, or the APK that was made of its bundle. */
export function packageOf(release: ReleaseRow, isUniversal: boolean): Package {
  const { universal, universalFileId } = release;
  if (isUniversal && universal && universalFileId) return { fileId: universalFileId, size: universal.size };
  return { fileId: release.fileId, size: release.file.size };
}
