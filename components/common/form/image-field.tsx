"use client";

import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { command } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { ImageUpload, type ImageUploadProps, type UploadedImage } from "../image-upload";
import { untilReady } from "./pending-input";

export type ImageFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Pick<
  ImageUploadProps,
  "label" | "optional" | "shape"
> & {
  control: Control<Input, unknown, Output>;
  name: Name;
  /** The stored image, shown while the field's value is undefined. */
  currentUrl?: string | null;
};

/**
 * An image field. Its value is the ID of the stored file, null if the image was removed, and undefined if it was not
 * changed.
 */
export function ImageField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  control,
  name,
  currentUrl,
  ...props
}: ImageFieldProps<Input, Name, Output>) {
  const { field, fieldState } = useController({ control, name });
  const notified = useNotifiedCall();
  const fileId = field.value as string | null | undefined;
  const url = fileId ? fileUrl(fileId) : fileId === undefined ? currentUrl : null;
  return (
    <ImageUpload
      value={url ? { url } : null}
      onChange={(image) => field.onChange(image?.fileId ?? null)}
      upload={(file) =>
        untilReady(
          control,
          notified(() => uploadImage(file)),
        )
      }
      error={fieldState.error?.message}
      {...props}
    />
  );
}

async function uploadImage(file: File): Promise<UploadedImage> {
  const form = new FormData();
  form.append("kind", "image");
  form.append("file", file);
  const { fileId, url } = await command("files/upload-file", form);
  return { fileId, url };
}
