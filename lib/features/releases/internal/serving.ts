import "server-only";
import { toRelease } from "@/lib/features/releases/data/answers";
import type { ReleaseRow } from "@/lib/features/releases/data/rows";
import { installerContentType } from "@/lib/features/releases/rules";
import type { BinaryReply } from "@/lib/http/reply";
import { storage } from "@/lib/storage";
import { serveStored } from "@/lib/storage/serve";

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
