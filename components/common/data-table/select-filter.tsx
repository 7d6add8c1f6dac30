"use client";

import { useTranslations } from "next-intl";
import { Menu } from "../menu";
import { FilterButton } from "./filter-button";

export type SelectFilterProps = {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string | null;
  onChange: (value: string | null) => void;
};

/** Filters a list by one value of a fixed set. */
export function SelectFilter({ label, options, value, onChange }: SelectFilterProps) {
  const t = useTranslations("common.table");
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu
      sections={[
        {
          value: chosen?.value ?? "",
          onValueChange: (next) => onChange(next || null),
          options: [{ value: "", label: t("anyValue") }, ...options],
        },
      ]}
      trigger={<FilterButton label={label} chosen={chosen?.label ?? null} />}
    />
  );
}
