import { send } from "@/lib/testing/console";
import { pictureForm } from "@/lib/testing/pictures";
import { customSample } from "@/lib/testing/sample";
import { uploadFile } from "./upload-file";

export const sample = customSample(uploadFile, {
  input: () => ({}),
  arrange: async ({ admin }, owner = admin) => {
    const form = await pictureForm();
    return (sender = owner) => send(uploadFile, sender, form);
  },
});
