import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";

/** The largest logo or avatar, in bytes. */
export const MAX_IMAGE_BYTES = 300_000;

export const uploadedFileSchema = z.object({
  fileId: idSchema,
  url: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Lower-case hex. */
  sha256: z.string(),
});
