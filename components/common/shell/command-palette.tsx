"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "@/components/common/pending/navigation";
import type { DialogProps } from "@/components/common/use-dialog";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "@/components/ui/command";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { Spinner } from "@/components/ui/spinner";
import { normalizeText } from "@/lib/kernel/normalize-text";
import type { NavGroup, SearchFunction, SearchResult } from "./types";

export type CommandPaletteProps = DialogProps & {
  navigation: readonly NavGroup[];
  onSearch?: SearchFunction;
};

type Found = { query: string; results: readonly SearchResult[]; failed: boolean };

const SEARCH_DELAY_MS = 200;

/**
 * The command palette: filters the pages of the navigation immediately, and adds the results of the search as they
 * arrive.
 */
export function CommandPalette({ open, onOpenChange, navigation, onSearch }: CommandPaletteProps) {
  const t = useTranslations("shell.palette");
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>({ query: "", results: [], failed: false });
  const query = text.trim();
  const searching = onSearch !== undefined && query !== "" && found.query !== query;

  useEffect(() => {
    if (!open) setText("");
  }, [open]);

  useEffect(() => {
    if (!onSearch || query === "") return;
    const controller = new AbortController();
    const timeout = setTimeout(async () => {
      try {
        const results = await onSearch(query, controller.signal);
        if (!controller.signal.aborted) setFound({ query, results, failed: false });
      } catch {
        if (!controller.signal.aborted) setFound({ query, results: [], failed: true });
      }
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timeout);
      controller.abort();
    };
  }, [query, onSearch]);

  const go = (href: string) => {
    onOpenChange(false);
    navigate(href);
  };

  const pages = navigation
    .flatMap((group) => group.items)
    .filter((item) => item.visible !== false && matches(item.label, query));
  const results = query === "" ? [] : found.results;
  const groups = Map.groupBy(results, (result) => result.group);
  const failed = found.failed && found.query === query;

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="lg:top-[14vh] lg:max-h-[min(30rem,72vh)] lg:max-w-xl lg:translate-y-0">
        <DialogTitle className="sr-only">{t("title")}</DialogTitle>
        <DialogDescription className="sr-only">{t("description")}</DialogDescription>
        <Command shouldFilter={false} label={t("title")}>
          <CommandInput value={text} onValueChange={setText} placeholder={t("placeholder")} />
          <CommandList label={t("title")}>
            {!searching && <CommandEmpty>{failed ? t("failed") : t("empty", { query })}</CommandEmpty>}
            {pages.length > 0 && (
              <CommandGroup heading={t("goTo")}>
                {pages.map((item) => (
                  <Entry
                    key={item.key}
                    id={`page:${item.key}`}
                    icon={item.icon}
                    label={item.label}
                    onRun={() => go(item.href)}
                  />
                ))}
              </CommandGroup>
            )}
            {[...groups].map(([heading, entries]) => (
              <CommandGroup key={heading} heading={heading}>
                {entries.map((result) => (
                  <Entry key={result.id} {...result} onRun={() => go(result.href)} />
                ))}
              </CommandGroup>
            ))}
          </CommandList>
        </Command>
        <div className="flex h-10 shrink-0 items-center gap-4 border-border border-t px-4 text-muted-foreground text-xs max-lg:hidden">
          <Hint keys={["↑", "↓"]}>{t("hintMove")}</Hint>
          <Hint keys={["↵"]}>{t("hintOpen")}</Hint>
          <Hint keys={["Esc"]}>{t("hintClose")}</Hint>
          <span role="status" className="ml-auto flex items-center gap-1.5">
            {searching && (
              <>
                <Spinner className="size-3.5" />
                {t("searching")}
              </>
            )}
          </span>
        </div>
      </DialogContent>
    </Dialog>
  );
}

type EntryProps = { id: string; icon?: ReactNode; label: string; description?: string; onRun: () => void };

function Entry({ id, icon, label, description, onRun }: EntryProps) {
  return (
    <CommandItem value={id} onSelect={onRun}>
      {icon}
      <span className="truncate">{label}</span>
      {description && (
        <span className="ml-auto shrink-0 truncate pl-3 text-muted-foreground text-xs">{description}</span>
      )}
    </CommandItem>
  );
}

function Hint({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      <span className="ml-0.5">{children}</span>
    </span>
  );
}

/** Whether every word of the query is part of the label, ignoring case and accents. */
function matches(label: string, query: string): boolean {
  const haystack = normalizeText(label);
  return normalizeText(query)
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
