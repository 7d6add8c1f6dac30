"use client";

import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "@/components/ui/command";
import { Spinner } from "@/components/ui/spinner";
import { useNotifiedCall } from "@/lib/client/use-operation";

export type SearchOption = { value: string; label: string; description?: string; icon?: ReactNode };

/** Finds options on the server; called with an empty text at first. */
export type SearchOptions = (text: string, signal: AbortSignal) => Promise<readonly SearchOption[]>;

export type SearchListProps = {
  /** Name of the list and its field, such as "Application". */
  label: string;
  search: SearchOptions;
  /** The value of the selected option, or null. */
  selected: string | null;
  onChoose: (option: SearchOption) => void;
  /** An entry above the options that selects none of them. */
  none?: { label: string; onChoose: () => void };
};

const SEARCH_DELAY_MS = 200;

type Found = { text: string; options: readonly SearchOption[]; failed: boolean };

/** A search field with the options that it finds; the content of a popover. */
export function SearchList({ label, search, selected, onChoose, none }: SearchListProps) {
  const t = useTranslations("common");
  const notified = useNotifiedCall();
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const searchText = text.trim();
  const searching = found?.text !== searchText;

  useEffect(() => {
    const controller = new AbortController();
    const timeout = setTimeout(
      async () => {
        try {
          const options = await notified(() => search(searchText, controller.signal));
          if (!controller.signal.aborted)
            setFound({ text: searchText, options: options ?? [], failed: options === null });
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
  }, [searchText, search, notified]);

  return (
    <Command shouldFilter={false} label={label}>
      <CommandInput value={text} onValueChange={setText} placeholder={t("table.searchPlaceholder")} />
      <CommandList label={label}>
        {searching && (
          <div className="flex justify-center py-6 text-muted-foreground">
            <Spinner />
          </div>
        )}
        {!searching && found.options.length === 0 && (
          <CommandEmpty className="py-6">{t(found.failed ? "error.part" : "table.noMatchTitle")}</CommandEmpty>
        )}
        {!searching && found.options.length > 0 && (
          <CommandGroup>
            {none && searchText === "" && (
              <CommandItem value="none" onSelect={none.onChoose}>
                {none.label}
              </CommandItem>
            )}
            {found.options.map((candidate) => (
              <CommandItem
                key={candidate.value}
                value={`option ${candidate.value}`}
                onSelect={() => onChoose(candidate)}
              >
                {candidate.icon}
                <span className="flex min-w-0 flex-col">
                  <span className="truncate">{candidate.label}</span>
                  {candidate.description && (
                    <span className="truncate text-muted-foreground text-xs">{candidate.description}</span>
                  )}
                </span>
                {candidate.value === selected && <Check aria-hidden className="ml-auto size-4 shrink-0 text-link" />}
              </CommandItem>
            ))}
          </CommandGroup>
        )}
      </CommandList>
    </Command>
  );
}
