"use client";

import { Check, LayoutGrid } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { OnDemandProps } from "@/components/common/on-demand";
import { useNavigate } from "@/components/common/pending/navigation";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "@/components/ui/command";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { matchesWords } from "@/lib/kernel/search-words";
import { AppIcon } from "./app-icon";
import type { ShellApp, ShellApps } from "./types";

const SEARCH_DELAY_MS = 200;

export type AppSwitcherListProps = Pick<ShellApps, "apps" | "search"> & {
  currentId: string | null;
  allHref: string;
  onNavigate: (() => void) | undefined;
};

/** The list of applications with a search field, initially open. Use `AppSwitcher`, which loads this component on demand. */
export function AppSwitcherList({
  trigger,
  apps,
  search,
  currentId,
  allHref,
  onNavigate,
}: AppSwitcherListProps & OnDemandProps) {
  const t = useTranslations("shell.appSwitcher");
  const table = useTranslations("common.table");
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const [text, setText] = useState("");
  const further = useFurtherApps(search, text.trim());

  const listed = apps.filter(({ name }) => matchesWords(name, text));
  const known = new Set(listed.map(({ id }) => id));
  const shown = [...listed, ...further.filter(({ id }) => !known.has(id))];

  const go = (href: string) => {
    setOpen(false);
    onNavigate?.();
    navigate(href);
  };

  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setText("");
      }}
    >
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent
        aria-label={t("label")}
        className="flex max-h-[min(28rem,70vh)] w-72 flex-col overflow-hidden p-0"
      >
        <Command shouldFilter={false} label={t("label")} defaultValue={currentId ? `app ${currentId}` : undefined}>
          <CommandInput value={text} onValueChange={setText} placeholder={t("search")} />
          <CommandList label={t("label")}>
            {shown.length === 0 && <CommandEmpty className="py-6">{table("noMatchTitle")}</CommandEmpty>}
            <CommandGroup>
              {shown.map((app) => (
                <CommandItem key={app.id} value={`app ${app.id}`} onSelect={() => go(app.href)}>
                  <AppIcon app={app} />
                  <span className="truncate" title={app.name}>
                    {app.name}
                  </span>
                  {app.id === currentId && (
                    <>
                      <Check aria-hidden className="ml-auto size-4 shrink-0 text-link" />
                      <span className="sr-only">{t("current")}</span>
                    </>
                  )}
                </CommandItem>
              ))}
            </CommandGroup>
            {/* It stays in view while the applications scroll. */}
            <CommandGroup className="sticky -bottom-2 -mx-2 -mb-2 border-border border-t bg-popover p-2">
              <CommandItem value="all" onSelect={() => go(allHref)}>
                <LayoutGrid aria-hidden />
                {t("all")}
              </CommandItem>
            </CommandGroup>
          </CommandList>
        </Command>
      </PopoverContent>
    </Popover>
  );
}

/** The applications that a search on the server finds. */
function useFurtherApps(search: ShellApps["search"], text: string): readonly ShellApp[] {
  const [found, setFound] = useState<{ text: string; apps: readonly ShellApp[] }>({ text: "", apps: [] });

  useEffect(() => {
    if (!search || text === "") return;
    const controller = new AbortController();
    const timeout = setTimeout(async () => {
      try {
        const apps = await search(text, controller.signal);
        if (!controller.signal.aborted) setFound({ text, apps });
      } catch {
        // The applications that are listed anyway stay.
      }
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timeout);
      controller.abort();
    };
  }, [search, text]);

  return found.text === text ? found.apps : [];
}
