"use client";

import { Camera, ImagePlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { FieldError } from "@/components/ui/field";
import { MAX_SCREENSHOT_BYTES, SCREENSHOT_TYPES } from "@/lib/features/feedback/schema";

export type PictureFieldProps = {
  value: File | null;
  onChange: (picture: File | null) => void;
};

/** The address of a picture in the memory of the browser; null without one. */
function usePreview(picture: File | null): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (!picture) return setPreview(null);
    const url = URL.createObjectURL(picture);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  return preview;
}

/** A field for a picture that is pasted, dropped, chosen, or taken with the camera of a phone. */
export function PictureField({ value, onChange }: PictureFieldProps) {
  const t = useTranslations("feedback");
  const common = useTranslations("common");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [refusal, setRefusal] = useState<"pictureFormat" | "pictureTooLarge" | null>(null);
  const preview = usePreview(value);

  const take = (file: File | undefined) => {
    if (!file) return;
    // The same file can be chosen again after it was removed.
    if (input.current) input.current.value = "";
    if (!SCREENSHOT_TYPES.split(",").includes(file.type)) return setRefusal("pictureFormat");
    if (file.size > MAX_SCREENSHOT_BYTES) return setRefusal("pictureTooLarge");
    setRefusal(null);
    onChange(file);
  };
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const pasted = event.clipboardData?.files[0];
    if (!pasted) return;
    event.preventDefault();
    take(pasted);
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => paste(event);
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);

  return (
    <fieldset
      aria-describedby={`${id}-hint ${id}-error`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className="mb-1.5 flex items-center gap-1.5 font-medium leading-5">
        {t("picture")}
        <span className="font-normal text-muted-foreground text-xs">{common("optional")}</span>
      </legend>
      <div
        className={cn(
          "flex flex-col items-center gap-3 rounded-lg border border-input border-dashed bg-card px-4 py-4 transition-colors",
          isOver && "border-primary bg-highlight",
          refusal && "border-danger",
        )}
      >
        {preview ? (
          // biome-ignore lint/performance/noImgElement: a preview in the memory of the browser
          <img src={preview} alt={t("picturePreview")} className="max-h-48 max-w-full rounded-md object-contain" />
        ) : (
          <ImagePlus aria-hidden className="size-5 text-muted-foreground" />
        )}
        <div className="flex flex-wrap justify-center gap-2">
          <Button
            type="button"
            variant="secondary"
            size="sm"
            aria-describedby={`${id}-hint ${id}-error`}
            onClick={() => input.current?.click()}
          >
            <Camera aria-hidden />
            {t("choosePicture")}
          </Button>
          {value && (
            <Button type="button" variant="ghost" size="sm" onClick={() => onChange(null)}>
              {t("removePicture")}
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className="text-pretty text-center text-muted-foreground text-xs leading-4.5">
          {t("pictureHint")}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        accept={SCREENSHOT_TYPES}
        aria-label={t("picture")}
        tabIndex={-1}
        hidden
        onChange={(event) => take(event.target.files?.[0])}
      />
      <FieldError id={`${id}-error`}>{refusal && t(refusal)}</FieldError>
    </fieldset>
  );
}
