import "server-only";
import type { File } from "@/lib/db/generated/client";
import { storage } from ".";
import { serveStored } from "./serve";

/**
 * Serves a stored picture. A browser shows it and runs no script in it.
 * @param cacheControl who may keep it, and for how long
 */
export async function servePicture(
  file: Pick<File, "storageKey" | "size" | "sha256" | "contentType" | "name">,
  request: Parameters<typeof serveStored>[2],
  cacheControl: string,
): ReturnType<typeof serveStored> {
  const reply = await serveStored(
    storage(),
    {
      key: file.storageKey,
      size: Number(file.size),
      sha256: file.sha256 as string,
      contentType: file.contentType,
      fileName: file.name,
    },
    request,
    { disposition: "inline", cacheControl, redirect: false },
  );
  const headers = {
    ...reply.headers,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  return { ...reply, headers };
}
