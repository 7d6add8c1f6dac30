import { sendPart, uploadSample } from "@/lib/testing/releases";
import { completeUpload } from "./complete-upload";

export const sample = uploadSample(completeUpload, async (uploadId, owner) => {
  const { body } = await sendPart(owner, uploadId, 1, Uint8Array.from(Buffer.from("12345")));
  return { parts: [{ number: 1, etag: body.etag }] };
});
