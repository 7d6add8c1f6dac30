"use client";

import { useTranslations } from "next-intl";
import type { FieldPath, FieldValues } from "react-hook-form";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { FormField, type FormFieldProps } from "./form-field";

export type SelectFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  FormFieldProps<Input, Name, Output>,
  "children"
> & {
  options: readonly { value: string; label: string; disabled?: boolean }[];
  placeholder?: string;
  disabled?: boolean;
  /** Called after the user selected another option. */
  onChanged?: (value: string) => void;
};

/** A form field that selects one of a fixed set of options. Its value is text, empty while nothing is selected. */
export function SelectField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  options,
  placeholder,
  disabled,
  onChanged,
  ...props
}: SelectFieldProps<Input, Name, Output>) {
  const t = useTranslations("common");
  return (
    <FormField {...props}>
      {({ value, onChange, name, ref, onBlur, ...attributes }) => (
        <Select
          value={value ?? ""}
          onValueChange={(next) => {
            onChange(next);
            onChanged?.(next);
          }}
          name={name}
          disabled={disabled}
        >
          <SelectTrigger ref={ref} onBlur={onBlur} {...attributes}>
            <SelectValue placeholder={placeholder ?? t("selectPlaceholder")} />
          </SelectTrigger>
          <SelectContent>
            {options.map((option) => (
              <SelectItem key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </FormField>
  );
}
