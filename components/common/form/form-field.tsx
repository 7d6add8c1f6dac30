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

/** The props of a form control: its value and handlers, and the attributes that connect it to its label and error. */
type FormFieldControl<Input extends FieldValues, Name extends FieldPath<Input>> = ControllerRenderProps<Input, Name> &
  FieldControlProps;

export type FormFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  FieldProps,
  "children" | "error"
> & {
  control: Control<Input, unknown, Output>;
  name: Name;
  /** Renders the control, e.g. `(field) => <Input {...field} />`. */
  children: (field: FormFieldControl<Input, Name>) => ReactNode;
};

/** A form field with its label, hint and error. */
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
