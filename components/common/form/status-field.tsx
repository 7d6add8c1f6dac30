"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";
import type { StatusBadgeProps } from "../status-badge";

export type StatusFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = {
  control: Control<Input, unknown, Output>;
  name: Name;
  gender?: StatusBadgeProps["gender"];
  /** The effect of being inactive. */
  hint?: string;
};

/** The active/inactive switch of a form. Its value is `active` or `inactive`. */
export function StatusField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  control,
  name,
  gender = "masculine",
  hint,
}: StatusFieldProps<Input, Name, Output>) {
  const t = useTranslations("common.status");
  const id = useId();
  const { field } = useController({ control, name });
  const active = field.value === "active";
  return (
    <div className="flex items-center justify-between gap-4 rounded-lg border border-border px-3 py-2.5">
      <div className="flex flex-col gap-0.5">
        <Label htmlFor={id}>{t("label")}</Label>
        <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-4.5">
          {hint ?? t(active ? "active" : "inactive", { gender })}
        </p>
      </div>
      <Switch
        ref={field.ref}
        id={id}
        aria-describedby={`${id}-hint`}
        checked={active}
        onBlur={field.onBlur}
        onCheckedChange={(checked) => field.onChange(checked ? "active" : "inactive")}
      />
    </div>
  );
}
