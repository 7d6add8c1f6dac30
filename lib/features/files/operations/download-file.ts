import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { ApiError } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { servePicture } from "@/lib/storage/serve-picture";
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
    return servePicture(file, request, "public, max-age=31536000, immutable");
  },
});
