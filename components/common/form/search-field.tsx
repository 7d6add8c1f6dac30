"use client";

import type { FieldPath, FieldValues } from "react-hook-form";
import { type SearchOption, SearchSelect, type SearchSelectProps } from "../search-select";
import { FormField, type FormFieldProps } from "./form-field";

export type SearchFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  FormFieldProps<Input, Name, Output>,
  "children" | "label"
> &
  Pick<SearchSelectProps, "option" | "search" | "placeholder" | "disabled"> & {
    label: string;
    /** Is told of a choice after the form's value has taken it over. */
    onChoose: (option: SearchOption) => void;
  };

/** A field of a form with a choice of one among many that are searched on the server; its value is the option's. */
export function SearchField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  label,
  option,
  search,
  placeholder,
  disabled,
  onChoose,
  ...props
}: SearchFieldProps<Input, Name, Output>) {
  return (
    <FormField label={label} {...props}>
      {({ value: _value, onChange, name: _name, onBlur: _onBlur, ...attributes }) => (
        <SearchSelect
          {...attributes}
          label={label}
          option={option}
          search={search}
          placeholder={placeholder}
          disabled={disabled}
          onChange={(chosen) => {
            onChange(chosen.value);
            onChoose(chosen);
          }}
        />
      )}
    </FormField>
  );
}
