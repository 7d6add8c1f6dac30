"use client";

import type { FieldPath, FieldValues } from "react-hook-form";
import type { SearchOption } from "../search-list";
import { SearchSelect, type SearchSelectProps } from "../search-select";
import { FormField, type FormFieldProps } from "./form-field";

export type SearchFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  FormFieldProps<Input, Name, Output>,
  "children" | "label"
> &
  Pick<SearchSelectProps, "option" | "search" | "placeholder" | "disabled"> & {
    label: string;
    /** The label of an entry that sets the form's value to null, for a field that may be empty. */
    none?: string;
    /** Called after the form's value has changed. */
    onChoose: (option: SearchOption) => void;
  };

/** A form field that selects one of many options, which are searched on the server. Its value is that of the option, null for none. */
export function SearchField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  label,
  option,
  search,
  placeholder,
  disabled,
  none,
  onChoose,
  ...props
}: SearchFieldProps<Input, Name, Output>) {
  return (
    <FormField label={label} {...props}>
      {({ value, onChange, name: _name, onBlur: _onBlur, ...attributes }) => (
        <SearchSelect
          {...attributes}
          label={label}
          option={value === null ? null : option}
          search={search}
          placeholder={placeholder}
          disabled={disabled}
          none={none === undefined ? undefined : { label: none, onChoose: () => onChange(null) }}
          onChange={(chosen) => {
            onChange(chosen.value);
            onChoose(chosen);
          }}
        />
      )}
    </FormField>
  );
}
