import "server-only";
import type { UploadRow } from "@/lib/features/uploads/data";
import { storage } from "@/lib/storage";

/**
 * Where parts of an upload are PUT to: the store's presigned URLs, which live as long as the upload, or the path of
 * `upload-part` on this server, which takes the caller's own credentials. The path is relative because the caller may
 * reach the console under another address than APP_URL.
 */
export function partUrls(
  upload: Pick<UploadRow, "id" | "storeUploadId" | "expiresAt"> & { storageKey: string },
  numbers: readonly number[],
  now: Date,
): Promise<{ number: number; url: string }[]> {
  const seconds = Math.max(1, Math.floor((upload.expiresAt.getTime() - now.getTime()) / 1000));
  const here = (number: number) => `/api/files/upload-part?uploadId=${upload.id}&number=${number}`;
  return Promise.all(
    numbers.map(async (number) => {
      const presigned = await storage().presignPart(upload.storageKey, upload.storeUploadId, number, seconds);
      return { number, url: presigned ?? here(number) };
    }),
  );
}
