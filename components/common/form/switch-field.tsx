"use client";

import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";

export type SwitchFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = {
  control: Control<Input, unknown, Output>;
  name: Name;
  label: string;
  /** Explains the effect. */
  hint: string;
};

/** A form field that is on or off. */
export function SwitchField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  control,
  name,
  label,
  hint,
}: SwitchFieldProps<Input, Name, Output>) {
  const id = useId();
  const { field } = useController({ control, name });
  return (
    <div className="flex items-center justify-between gap-4 rounded-lg border border-border px-3 py-2.5">
      <div className="flex flex-col gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        <p id={`${id}-hint`} className="text-pretty text-muted-foreground text-xs leading-4.5">
          {hint}
        </p>
      </div>
      <Switch
        ref={field.ref}
        id={id}
        aria-describedby={`${id}-hint`}
        checked={field.value}
        onBlur={field.onBlur}
        onCheckedChange={field.onChange}
      />
    </div>
  );
}
