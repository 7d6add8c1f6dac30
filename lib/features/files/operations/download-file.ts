import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { ApiError } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { storage } from "@/lib/storage";
import { serveStored } from "@/lib/storage/serve";
import { findFile } from "../data";

/** A logo, avatar or icon. Images never change under their id, so they are cached permanently. Installers are not served here. */
export const downloadFile = defineDownload({
  area: "files",
  name: "download-file",
  summary: "Download a logo, an avatar or an icon",
  access: "public",
  input: z.strictObject({ id: idSchema }),
  contentTypes: ["image/png", "image/jpeg", "image/webp"],
  errors: ["not_found"],
  async handler({ input, db, request }) {
    const file = orNotFound(await findFile(db, input.id));
    // Installers have a rule of their own: download-testing-deploy-file.
    if (file.purpose !== "image") throw new ApiError("not_found");
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
      { disposition: "inline", cacheControl: "public, max-age=31536000, immutable", redirect: false },
    );
    const headers = {
      ...reply.headers,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
    };
    return { ...reply, headers };
  },
});
