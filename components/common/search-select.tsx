"use client";

import { Check, ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { cn } from "@/components/ui/cn";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "@/components/ui/command";
import type { FieldControlProps } from "@/components/ui/field";
import { controlClassName } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Spinner } from "@/components/ui/spinner";

export type SearchOption = { value: string; label: string; description?: string; icon?: ReactNode };

export type SearchSelectProps = Partial<FieldControlProps> & {
  "aria-label"?: string;
  /** The selected option, or null. */
  option: SearchOption | null;
  onChange: (option: SearchOption) => void;
  /** Finds options; called with an empty text when the list opens. */
  search: (text: string, signal: AbortSignal) => Promise<readonly SearchOption[]>;
  /** Name of the list and its field, such as "Application". */
  label: string;
  placeholder?: string;
  /** Shown in front of the placeholder. */
  icon?: ReactNode;
  disabled?: boolean;
};

const SEARCH_DELAY_MS = 200;

type Found = { text: string; options: readonly SearchOption[]; failed: boolean };

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
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const searchText = text.trim();
  const searching = found?.text !== searchText;

  useEffect(() => {
    if (!open) return;
    const controller = new AbortController();
    const timeout = setTimeout(
      async () => {
        try {
          const options = await search(searchText, controller.signal);
          if (!controller.signal.aborted) setFound({ text: searchText, options, failed: false });
        } catch {
          if (!controller.signal.aborted) setFound({ text: searchText, options: [], failed: true });
        }
      },
      searchText === "" ? 0 : SEARCH_DELAY_MS,
    );
    return () => {
      clearTimeout(timeout);
      controller.abort();
    };
  }, [open, searchText, search]);

  const choose = (chosen: SearchOption) => {
    onChange(chosen);
    setOpen(false);
    setText("");
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
        <Command shouldFilter={false} label={label}>
          <CommandInput value={text} onValueChange={setText} placeholder={t("table.searchPlaceholder")} />
          <CommandList label={label}>
            {searching && (
              <div className="flex justify-center py-6 text-muted-foreground">
                <Spinner />
              </div>
            )}
            {!searching && (
              <CommandEmpty className="py-6">{t(found.failed ? "error.title" : "table.noMatchTitle")}</CommandEmpty>
            )}
            {!searching && (
              <CommandGroup>
                {found.options.map((candidate) => (
                  <CommandItem key={candidate.value} value={candidate.value} onSelect={() => choose(candidate)}>
                    {candidate.icon}
                    <span className="flex min-w-0 flex-col">
                      <span className="truncate">{candidate.label}</span>
                      {candidate.description && (
                        <span className="truncate text-muted-foreground text-xs">{candidate.description}</span>
                      )}
                    </span>
                    {candidate.value === option?.value && (
                      <Check aria-hidden className="ml-auto size-4 shrink-0 text-link" />
                    )}
                  </CommandItem>
                ))}
              </CommandGroup>
            )}
          </CommandList>
        </Command>
      </PopoverContent>
    </Popover>
  );
}
