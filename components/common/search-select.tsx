"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import type { FieldControlProps } from "@/components/ui/field";
import { controlClassName } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { SearchList, type SearchOption, type SearchOptions } from "./search-list";

export type SearchSelectProps = Partial<FieldControlProps> & {
  "aria-label"?: string;
  /** The selected option, or null. */
  option: SearchOption | null;
  onChange: (option: SearchOption) => void;
  search: SearchOptions;
  /** Name of the list and its field, such as "Application". */
  label: string;
  placeholder?: string;
  /** Shown in front of the placeholder. */
  icon?: ReactNode;
  disabled?: boolean;
};

/** Selects one of many options, which are searched on the server: a select with a search field. */
export function SearchSelect({
  option,
  onChange,
  search,
  label,
  placeholder,
  icon,
  disabled = false,
  ...attributes
}: SearchSelectProps) {
  const t = useTranslations("common");
  const [open, setOpen] = useState(false);

  const choose = (chosen: SearchOption) => {
    onChange(chosen);
    setOpen(false);
  };

  return (
    <Popover modal open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <button
          type="button"
          role="combobox"
          aria-expanded={open}
          aria-haspopup="listbox"
          disabled={disabled}
          className={cn(
            controlClassName,
            "flex h-11 items-center justify-between gap-2 px-3 text-left lg:h-8 lg:px-2.5",
            !option && "text-muted-foreground",
          )}
          {...attributes}
        >
          <span className="flex min-w-0 items-center gap-2">
            {option ? option.icon : icon}
            <span className="truncate">{option?.label ?? placeholder ?? t("selectPlaceholder")}</span>
          </span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        </button>
      </PopoverTrigger>
      <PopoverContent
        aria-label={label}
        className="flex max-h-80 w-(--radix-popover-trigger-width) min-w-64 flex-col overflow-hidden p-0"
      >
        <SearchList label={label} search={search} selected={option?.value ?? null} onChoose={choose} />
      </PopoverContent>
    </Popover>
  );
}
