"use client";

import { FileUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import type { FieldControlProps } from "@/components/ui/field";
import { Bytes } from "./bytes";

/** Which names are accepted. */
type Accepted =
  | {
      /** Extensions without the dot, lower case: `["ipa", "apk"]`. */
      extensions: readonly string[];
      acceptsName?: never;
    }
  | {
      extensions?: never;
      /** For names that no extension describes, such as `.env.local`. The file chooser then offers all files. */
      acceptsName: (name: string) => boolean;
    };

export type FileDropProps = Partial<FieldControlProps> & {
  /** Largest size in bytes. */
  maxBytes?: number;
  /** The chosen file; its name and size are shown. */
  file?: { name: string; size: number } | null;
  onFile: (file: File) => void;
  /** Called when a file is rejected before it was read. */
  onReject: (reason: "format" | "size", file: File) => void;
  /** The accepted files and sizes, shown below the prompt. */
  hint?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  className?: string;
} & Accepted;

/** An area to drop a file on or to choose one with. Checks the file's name and size. */
export function FileDrop({
  extensions,
  acceptsName = (name) => extensions?.includes(name.slice(name.lastIndexOf(".") + 1).toLowerCase()) ?? true,
  maxBytes = Number.POSITIVE_INFINITY,
  file,
  onFile,
  onReject,
  hint,
  icon,
  disabled = false,
  className,
  id: givenId,
  ...attributes
}: FileDropProps) {
  const t = useTranslations("common.file");
  const ownId = useId();
  const id = givenId ?? ownId;
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  const take = (chosen: File | undefined) => {
    if (!chosen || disabled) return;
    if (!acceptsName(chosen.name)) onReject("format", chosen);
    else if (chosen.size > maxBytes) onReject("size", chosen);
    else onFile(chosen);
    // Allows choosing the same file again after it was corrected.
    if (input.current) input.current.value = "";
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };

  return (
    <label
      data-slot="file-drop"
      onDragOver={(event) => {
        event.preventDefault();
        if (!disabled) setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        "relative flex min-h-28 cursor-pointer flex-col items-center justify-center gap-2 rounded-lg border border-input border-dashed bg-card px-4 py-5 text-center transition-colors hover:bg-muted",
        "has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 has-aria-invalid:border-danger",
        over && "border-primary bg-highlight",
        disabled && "cursor-not-allowed opacity-60",
        className,
      )}
    >
      <input
        ref={input}
        id={id}
        type="file"
        accept={extensions?.map((extension) => `.${extension}`).join(",")}
        disabled={disabled}
        onChange={(event) => take(event.target.files?.[0])}
        className="sr-only"
        {...attributes}
      />
      <span aria-hidden className="text-muted-foreground [&>svg]:size-5">
        {icon ?? <FileUp />}
      </span>
      {file ? (
        <span className="flex max-w-full flex-col gap-0.5">
          <span className="break-all font-medium">{file.name}</span>
          <span className="text-muted-foreground text-xs">
            <Bytes value={file.size} /> · <span className="text-link">{t("replace")}</span>
          </span>
        </span>
      ) : (
        <span>
          <span className="font-medium text-link">{t("choose")}</span>{" "}
          <span className="text-muted-foreground max-lg:hidden">{t("drop")}</span>
        </span>
      )}
      {hint && <span className="text-muted-foreground text-xs leading-4.5">{hint}</span>}
    </label>
  );
}
