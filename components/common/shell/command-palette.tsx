"use client";

import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "@/components/common/pending/navigation";
import type { DialogProps } from "@/components/common/use-dialog";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "@/components/ui/command";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { Spinner } from "@/components/ui/spinner";
import { scoreOf, searchWords } from "@/lib/kernel/search-words";
import type { PaletteEntry, PaletteGroup, SearchFunction } from "./types";

export type CommandPaletteProps = DialogProps & {
  /** What can be found without the server. */
  entries: readonly PaletteEntry[];
  onSearch: SearchFunction;
};

type Found = { query: string; entries: readonly PaletteEntry[]; failed: boolean };

const SEARCH_DELAY_MS = 120;
/** The entries of a group that are shown. */
const MAX_PER_GROUP = 6;

const GROUPS: readonly PaletteGroup[] = [
  "goTo",
  "actions",
  "apps",
  "environments",
  "configuration",
  "variables",
  "releases",
  "users",
  "roles",
];

/**
 * The command palette: pages, actions and what the shell knows are found immediately; the results of the search on the
 * server are added as they arrive.
 */
export function CommandPalette({ open, onOpenChange, entries, onSearch }: CommandPaletteProps) {
  const t = useTranslations("shell.palette");
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>({ query: "", entries: [], failed: false });
  const query = text.trim();
  const searching = query !== "" && found.query !== query;

  useEffect(() => {
    if (!open) setText("");
  }, [open]);

  useEffect(() => {
    if (query === "") return;
    const controller = new AbortController();
    const timeout = setTimeout(async () => {
      try {
        const results = await onSearch(query, controller.signal);
        if (!controller.signal.aborted) setFound({ query, entries: results, failed: false });
      } catch {
        if (!controller.signal.aborted) setFound({ query, entries: [], failed: true });
      }
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timeout);
      controller.abort();
    };
  }, [query, onSearch]);

  const groups = useMemo(() => {
    const local = matching(entries, query);
    const known = new Set(local.map(({ id }) => id));
    const results = query === "" ? [] : found.entries.filter(({ id }) => !known.has(id));
    const byGroup = Map.groupBy([...local, ...results], ({ group }) => group);
    return GROUPS.flatMap((group) => {
      // What is suggested before something is typed is all shown.
      const listed = byGroup.get(group)?.slice(0, query === "" ? undefined : MAX_PER_GROUP) ?? [];
      return listed.length > 0 ? [{ group, listed }] : [];
    });
  }, [entries, query, found]);
  const count = groups.reduce((sum, { listed }) => sum + listed.length, 0);
  const failed = found.failed && found.query === query;

  const run = ({ href, onRun }: PaletteEntry) => {
    onOpenChange(false);
    if (href) navigate(href);
    onRun?.();
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="lg:top-[14vh] lg:max-h-[min(34rem,76vh)] lg:max-w-2xl lg:translate-y-0">
        <DialogTitle className="sr-only">{t("title")}</DialogTitle>
        <DialogDescription className="sr-only">{t("description")}</DialogDescription>
        <Command shouldFilter={false} label={t("title")}>
          <CommandInput value={text} onValueChange={setText} placeholder={t("placeholder")} />
          <CommandList label={t("title")}>
            {!searching && <CommandEmpty>{failed ? t("failed") : t("empty", { query })}</CommandEmpty>}
            {groups.map(({ group, listed }) => (
              <CommandGroup key={group} heading={t(`groups.${group}`)}>
                {listed.map((entry) => (
                  <Entry key={entry.id} entry={entry} onRun={() => run(entry)} />
                ))}
              </CommandGroup>
            ))}
          </CommandList>
        </Command>
        {failed && count > 0 && (
          <p aria-hidden className="border-border border-t px-4 py-2.5 text-danger text-sm">
            {t("failed")}
          </p>
        )}
        <div className="flex h-10 shrink-0 items-center gap-4 border-border border-t px-4 text-muted-foreground text-xs max-lg:hidden">
          <Hint keys={["↑", "↓"]}>{t("hintMove")}</Hint>
          <Hint keys={["↵"]}>{t("hintOpen")}</Hint>
          <Hint keys={["Esc"]}>{t("hintClose")}</Hint>
          {searching && (
            <span className="ml-auto flex items-center gap-1.5">
              <Spinner className="size-3.5" />
              {t("searching")}
            </span>
          )}
        </div>
        <span role="status" className="sr-only">
          {query === "" || searching ? "" : failed ? t("failed") : t("count", { count })}
        </span>
      </DialogContent>
    </Dialog>
  );
}

/** The entries that match a query, the best first; without a query, those that are suggested. */
function matching(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  if (query === "") return entries.filter(({ suggested }) => suggested);
  const words = searchWords(query);
  return entries
    .flatMap((entry) => {
      const score = scoreOf(`${entry.label} ${entry.keywords ?? ""}`, words);
      return score === null ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function Entry({ entry, onRun }: { entry: PaletteEntry; onRun: () => void }) {
  const { id, icon, label, detail, description } = entry;
  return (
    <CommandItem value={id} onSelect={onRun}>
      {icon}
      <span className="flex min-w-0 flex-1 max-lg:flex-col lg:items-baseline lg:gap-2">
        <span className="truncate lg:max-w-[56%] lg:shrink-0">{label}</span>
        {detail && <span className="min-w-0 flex-1 truncate text-muted-foreground max-lg:text-xs">{detail}</span>}
        {description && (
          <span className="truncate text-muted-foreground text-xs lg:ml-auto lg:max-w-[40%] lg:shrink-0 lg:pl-3">
            {description}
          </span>
        )}
      </span>
    </CommandItem>
  );
}

function Hint({ keys, children }: { keys: string[]; children: string }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      <span className="ml-0.5">{children}</span>
    </span>
  );
}
