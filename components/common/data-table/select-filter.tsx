"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Menu } from "../menu";

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
      trigger={
        <Button variant="secondary" className={cn(!chosen && "border-dashed")}>
          <span className={cn(chosen && "text-muted-foreground")}>{label}</span>
          {chosen && <span className="max-w-40 truncate">{chosen.label}</span>}
          <ChevronDown aria-hidden className="-mr-0.5 size-3.5 text-muted-foreground" />
        </Button>
      }
    />
  );
}
