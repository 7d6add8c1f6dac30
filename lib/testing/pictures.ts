import sharp from "sharp";
import { uploadFile } from "@/lib/features/files/operations/upload-file";
import { type Caller, send } from "./console";

/** Returns the form of an upload with a small PNG. */
export async function pictureForm(): Promise<FormData> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 4, background: "#3355ff" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append("kind", "image");
  form.append("file", new Blob([Uint8Array.from(png)], { type: "image/png" }), "logo.png");
  return form;
}

/** Uploads a picture. @returns its file ID */
export async function aPicture(caller: Caller): Promise<string> {
  const { body } = await send(uploadFile, caller, await pictureForm());
  return body.fileId;
}
