import { randomUUID } from "node:crypto";
import { anUpload, sendPart } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { uploadPart } from "./upload-part";

export const sample = customSample(uploadPart, {
  input: () => ({ uploadId: randomUUID(), number: "1" }),
  arrange: async ({ admin }, owner = admin) => {
    const { uploadId } = await anUpload(owner, "Example.ipa", 5);
    return (sender = owner) => sendPart(sender, uploadId, 1, Uint8Array.from(Buffer.from("12345")));
  },
});
