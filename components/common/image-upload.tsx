"use client";

import { ImagePlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type DragEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { FieldError } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";

/** The specification's maximum size of an uploaded image, in bytes. */
export const MAX_IMAGE_BYTES = 300_000;

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];

/** A stored image. */
export type UploadedImage = { fileId: string; url: string };

export type ImageUploadProps = {
  /** What the image is, such as "Logo". */
  label: string;
  /** The stored image; without `fileId`, one that was stored before this form was opened. */
  value: UploadedImage | { fileId?: undefined; url: string } | null;
  onChange: (image: UploadedImage | null) => void;
  /** Stores the file. @returns null if that failed and the user was told why */
  upload: (file: File) => Promise<UploadedImage | null>;
  /** The field's error, from the form. */
  error?: string;
  /** Marks the field as optional and adds a button that removes the image. */
  optional?: boolean;
  shape?: "square" | "circle";
  maxBytes?: number;
};

/** An image field with a preview. The limits are checked before the upload. */
export function ImageUpload({
  label,
  value,
  onChange,
  upload,
  error,
  optional = false,
  shape = "square",
  maxBytes = MAX_IMAGE_BYTES,
}: ImageUploadProps) {
  const t = useTranslations("common");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const maximum = String(Math.floor(maxBytes / 1000));
  const message = refusal ?? error;

  const take = async (file: File | undefined) => {
    if (!file || uploading) return;
    if (input.current) input.current.value = "";
    if (!IMAGE_TYPES.includes(file.type)) {
      setRefusal(t("image.invalidFormat"));
      return;
    }
    if (file.size > maxBytes) {
      setRefusal(t("image.tooLarge", { maximum }));
      return;
    }
    setRefusal(null);
    setUploading(true);
    const image = await upload(file);
    setUploading(false);
    if (image) onChange(image);
    else setRefusal(t("image.uploadFailed"));
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  return (
    <fieldset
      data-slot="image-upload"
      aria-describedby={`${id}-hint ${id}-error`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className="mb-1.5 flex items-center gap-1.5 font-medium leading-5">
        {label}
        {optional && <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>}
      </legend>
      <div className="flex items-center gap-4">
        <div
          className={cn(
            "relative flex size-16 shrink-0 items-center justify-center overflow-hidden border border-input border-dashed bg-card text-muted-foreground transition-colors",
            shape === "circle" ? "rounded-full" : "rounded-xl",
            value && "border-border border-solid",
            over && "border-primary bg-highlight",
            message && "border-danger",
          )}
        >
          {value ? (
            // biome-ignore lint/performance/noImgElement: the address is the file store's or a local preview
            <img src={value.url} alt={label} className="size-full object-cover" />
          ) : (
            <ImagePlus aria-hidden className="size-5" />
          )}
          {uploading && (
            <div className="absolute inset-0 flex items-center justify-center bg-card/80">
              <Spinner />
            </div>
          )}
        </div>
        <div className="flex min-w-0 flex-col items-start gap-1.5">
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              loading={uploading}
              aria-invalid={message ? true : undefined}
              aria-describedby={`${id}-hint ${id}-error`}
              onClick={() => input.current?.click()}
            >
              {t(value ? "image.replace" : "image.choose")}
            </Button>
            {value && optional && !uploading && (
              <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
                {t("remove")}
              </Button>
            )}
          </div>
          <p id={`${id}-hint`} className="text-pretty text-muted-foreground text-xs leading-4.5">
            {t("image.hint", { maximum })}
          </p>
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES.join(",")}
        aria-label={label}
        tabIndex={-1}
        hidden
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <p role="status" className="sr-only">
        {uploading && t("image.uploading")}
      </p>
      <FieldError id={`${id}-error`}>{message}</FieldError>
    </fieldset>
  );
}
