import { ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { NAVIGATION } from "@/components/common/navigation/navigation";
import type { Messages } from "@/lib/kernel/i18n/translator";

export type SectionCardsProps = {
  /** The number on the card of each section; a section without a number has no card. */
  counts: Partial<Record<keyof Messages["dashboard"]["sections"], number>>;
};

/** The sections of the administration with their counts. */
export function SectionCards({ counts }: SectionCardsProps) {
  const t = useTranslations("dashboard");
  const pages = useTranslations("nav.pages");
  return (
    <ul aria-label={t("sectionsLabel")} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {NAVIGATION.map(({ key, href, icon: Icon }) => {
        if (!isSection(key, counts)) return null;
        return (
          <li
            key={key}
            className="group relative flex flex-col gap-3 rounded-lg border border-border bg-card p-4 transition-colors hover:border-input hover:bg-muted/50 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 lg:px-5"
          >
            <div className="flex items-center gap-2.5 text-muted-foreground">
              <Icon aria-hidden className="size-4" />
              <HoverLink
                href={href}
                className="flex-1 truncate font-medium text-foreground outline-none after:absolute after:inset-0"
              >
                {pages(key)}
              </HoverLink>
              <ChevronRight aria-hidden className="size-4 opacity-60 transition-opacity group-hover:opacity-100" />
            </div>
            <p className="text-muted-foreground leading-5">
              {t.rich(`sections.${key}`, {
                count: counts[key] ?? 0,
                number: (text) => (
                  <span className="mr-1 font-semibold text-2xl text-foreground tabular-nums leading-8 tracking-tight">
                    {text}
                  </span>
                ),
              })}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function isSection<Counts extends object>(key: PropertyKey, counts: Counts): key is keyof Counts {
  return Object.hasOwn(counts, key);
}
