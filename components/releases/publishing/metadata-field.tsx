"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { type Control, type FieldValues, useController, useFieldArray } from "react-hook-form";
import { RowButton } from "@/components/common/row-button";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type MetadataRow, USUAL_METADATA } from "./metadata-rows";

type WithMetadata = FieldValues & { metadata: MetadataRow[] };

export type MetadataFieldProps<Input extends WithMetadata, Output> = { control: Control<Input, unknown, Output> };

/** The `metadata` rows of a form: names and values. */
export function MetadataField<Values extends WithMetadata, Output>({ control }: MetadataFieldProps<Values, Output>) {
  const t = useTranslations("releases.metadata");
  const common = useTranslations("common");
  const suggestions = useId();
  // The rows are the same in every form that has them, which the compiler cannot infer through a generic type.
  const plain = control as unknown as Control<WithMetadata, unknown, Output>;
  const { fields, append, remove } = useFieldArray({ control: plain, name: "metadata" });
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 flex items-center gap-1.5 font-medium leading-5">
        {t("title")} <span className="font-normal text-muted-foreground text-xs">{common("optional")}</span>
      </legend>
      {fields.length > 0 && (
        <ul className="flex flex-col gap-2">
          {fields.map((field, index) => (
            <li key={field.id}>
              <Row control={plain} index={index} suggestions={suggestions} onRemove={() => remove(index)} />
            </li>
          ))}
        </ul>
      )}
      <datalist id={suggestions}>
        {USUAL_METADATA.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        onClick={() => append({ key: "", value: "" }, { focusName: `metadata.${fields.length}.key` })}
      >
        <Plus aria-hidden />
        {t("add")}
      </Button>
      <p className="text-muted-foreground text-xs leading-4.5">{t("hint")}</p>
    </fieldset>
  );
}

type RowProps<Output> = {
  control: Control<WithMetadata, unknown, Output>;
  index: number;
  suggestions: string;
  onRemove: () => void;
};

function Row<Output>({ control, index, suggestions, onRemove }: RowProps<Output>) {
  const t = useTranslations("releases.metadata");
  const id = useId();
  const key = useController({ control, name: `metadata.${index}.key` });
  const value = useController({ control, name: `metadata.${index}.value` });
  const message = key.fieldState.error?.message ?? value.fieldState.error?.message;
  const attributes = (invalid: boolean) => ({
    "aria-invalid": invalid || undefined,
    "aria-describedby": message ? id : undefined,
    autoCapitalize: "none",
    autoComplete: "off",
    spellCheck: false,
    className: "font-mono lg:text-[0.8125rem]",
  });
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2">
        <Input
          {...key.field}
          {...attributes(Boolean(key.fieldState.error))}
          list={suggestions}
          aria-label={t("key", { number: index + 1 })}
          placeholder={t("keyPlaceholder")}
        />
        <Input
          {...value.field}
          {...attributes(Boolean(value.fieldState.error))}
          aria-label={t("value", { number: index + 1 })}
          placeholder={t("valuePlaceholder")}
        />
        <RowButton label={t("remove", { number: index + 1 })} icon={<X aria-hidden />} onClick={onRemove} />
      </div>
      <FieldError id={id}>{message}</FieldError>
    </div>
  );
}
