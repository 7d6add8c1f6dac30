"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { TableLink } from "@/components/common/data-table/data-table-frame";
import { cn } from "@/components/ui/cn";
import type { System } from "./system";

const SYSTEMS: readonly System[] = ["ios", "android"];

/** Chooses for which operating system builds are shown: one, or all of them. */
export function SystemChips({ system }: { system: System | null }) {
  const t = useTranslations("builds");
  return (
    <nav aria-label={t("filter")} className="flex flex-wrap gap-2">
      {SYSTEMS.map((one) => {
        const chosen = one === system;
        return (
          <TableLink
            key={one}
            changes={{ platform: chosen ? "all" : one }}
            aria-current={chosen || undefined}
            className={cn(
              "inline-flex min-h-11 items-center gap-1.5 rounded-full border px-3.5 font-medium text-[0.8125rem] lg:min-h-8 lg:px-3",
              chosen
                ? "border-transparent bg-highlight text-link"
                : "border-border text-muted-foreground hover:text-foreground",
            )}
          >
            {t(`systems.${one}`)}
            {chosen && <X role="img" aria-label={t("showAll")} className="size-3.5" />}
          </TableLink>
        );
      })}
    </nav>
  );
}
