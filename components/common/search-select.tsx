"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import type { FieldControlProps } from "@/components/ui/field";
import { controlClassName } from "@/components/ui/input";
import { lazyOverlay, OnDemand } from "./on-demand";
import type { SearchListProps, SearchOption, SearchOptions } from "./search-list";

/** What the list of options needs. */
export type SearchSelectPopoverProps = {
  /** Name of the list and its field, such as "Application". */
  label: string;
  search: SearchOptions;
  /** The value of the selected option, or null. */
  selected: string | null;
  onChange: (option: SearchOption) => void;
  none?: SearchListProps["none"];
};

export type SearchSelectProps = Partial<FieldControlProps> &
  Omit<SearchSelectPopoverProps, "selected"> & {
    "aria-label"?: string;
    /** The selected option, or null. */
    option: SearchOption | null;
    placeholder?: string;
    /** Shown in front of the placeholder. */
    icon?: ReactNode;
    disabled?: boolean;
  };

const popover = lazyOverlay<SearchSelectPopoverProps>(() =>
  import("./search-select-popover").then((module) => module.SearchSelectPopover),
);

/**
 * Selects one of many options, which are searched on the server: a select with a search field. The code of its list is
 * loaded when it is hovered or focused.
 */
export function SearchSelect({
  option,
  onChange,
  search,
  label,
  none,
  placeholder,
  icon,
  disabled = false,
  ...attributes
}: SearchSelectProps) {
  const t = useTranslations("common");
  return (
    <OnDemand
      overlay={popover}
      popup="listbox"
      overlayProps={{ label, search, selected: option?.value ?? null, onChange, none }}
      trigger={
        <button
          type="button"
          // biome-ignore lint/a11y/useAriaPropsForRole: the overlay sets aria-expanded
          role="combobox"
          // The overlay would say that it is a dialog.
          aria-haspopup="listbox"
          disabled={disabled}
          className={cn(
            controlClassName,
            "flex h-11 items-center justify-between gap-2 px-3 text-left data-[state=open]:border-ring lg:h-8 lg:px-2.5",
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
      }
    />
  );
}
