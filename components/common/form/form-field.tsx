"use client";

import type { ReactNode } from "react";
import {
  type Control,
  type ControllerRenderProps,
  type FieldPath,
  type FieldValues,
  useController,
} from "react-hook-form";
import { Field, type FieldControlProps, type FieldProps } from "@/components/ui/field";

/** What a control of a form gets: its value and handlers, and what ties it to its label and error. */
export type FormFieldControl<Input extends FieldValues, Name extends FieldPath<Input>> = ControllerRenderProps<
  Input,
  Name
> &
  FieldControlProps;

export type FormFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  FieldProps,
  "children" | "error"
> & {
  control: Control<Input, unknown, Output>;
  name: Name;
  /** Draws the control, e.g. `(field) => <Input {...field} />`. */
  children: (field: FormFieldControl<Input, Name>) => ReactNode;
};

/** One field of a form with its label, hint and error. */
export function FormField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  control,
  name,
  children,
  ...field
}: FormFieldProps<Input, Name, Output>) {
  const { field: bound, fieldState } = useController({ control, name });
  return (
    <Field error={fieldState.error?.message} {...field}>
      {(attributes) => children({ ...bound, ...attributes })}
    </Field>
  );
}
