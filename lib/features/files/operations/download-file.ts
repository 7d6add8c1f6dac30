import "server-only";
import { z } from "zod";
import { found } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { ApiError } from "@/lib/errors";
import { idSchema } from "@/lib/ids-schema";
import { storage } from "@/lib/storage";
import { findFile } from "../data";

/** A logo, avatar or icon. Images never change under their id, so they are cached for good; an installer is not had here. */
export const downloadFile = defineDownload({
  area: "files",
  name: "download-file",
  summary: "A logo, an avatar or an icon",
  access: "public",
  input: z.strictObject({ id: idSchema }),
  contentTypes: ["image/png", "image/jpeg", "image/webp"],
  errors: ["not_found"],
  async handler({ input, db, request }) {
    const file = found(await findFile(db, input.id));
    // Installers have a rule of their own: download-testing-deploy-file.
    if (file.purpose !== "image") throw new ApiError("not_found");
    const headers = {
      "Content-Type": file.contentType,
      "Cache-Control": "public, max-age=31536000, immutable",
      ETag: `"${file.sha256}"`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
    };
    if (request.headers.get("if-none-match")?.includes(headers.ETag)) return { status: 304, headers, body: null };
    return {
      status: 200,
      headers: { ...headers, "Content-Length": String(file.size) },
      body: request.method === "HEAD" ? null : await storage().get(file.storageKey),
    };
  },
});
