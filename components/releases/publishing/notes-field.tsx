"use client";

import { Eye, Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { FormField } from "@/components/common/form/form-field";
import { ReleaseNotes } from "@/components/common/releases/release-notes";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/textarea";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_DESCRIPTION } from "@/lib/features/releases/schema";

export type NotesFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = {
  control: Control<Input, unknown, Output>;
  name: Name;
};

/** The field of the release notes, which are written in Markdown, with a preview that the server renders. */
export function NotesField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  control,
  name,
}: NotesFieldProps<Input, Name, Output>) {
  const t = useTranslations("releases.fields");
  const { field } = useController({ control, name });
  const render = useOperation("apps/render-release-notes");
  const [preview, setPreview] = useState<string | null>(null);
  const text = (field.value as string).trim();

  const toggle = async () => {
    if (preview !== null) return setPreview(null);
    const result = await render.run({ description: text });
    if (result.ok) setPreview(result.data.descriptionHtml);
  };

  return (
    <FormField
      control={control}
      name={name}
      label={t("description")}
      hint={t("descriptionHint")}
      labelEnd={
        <Button
          type="button"
          variant="ghost"
          size="sm"
          className="-my-1"
          loading={render.pending}
          disabled={preview === null && (text === "" || text.length > MAX_DESCRIPTION)}
          onClick={() => void toggle()}
        >
          {preview === null ? <Eye aria-hidden /> : <Pencil aria-hidden />}
          {t(preview === null ? "preview" : "write")}
        </Button>
      }
    >
      {(bound) =>
        preview === null ? (
          <Textarea {...bound} dir="auto" rows={4} placeholder={t("descriptionPlaceholder")} />
        ) : (
          <section
            id={bound.id}
            aria-label={t("preview")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: long notes are scrolled by the keyboard
            tabIndex={0}
            className="max-h-80 min-h-20 overflow-y-auto rounded-md border border-border px-3 py-2"
          >
            <ReleaseNotes descriptionHtml={preview} />
          </section>
        )
      }
    </FormField>
  );
}
