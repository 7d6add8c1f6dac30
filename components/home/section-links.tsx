import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { NAVIGATION } from "@/components/common/navigation/navigation";
import type { Messages } from "@/lib/kernel/i18n/translator";

export type SectionLinksProps = {
  /** The number beside each section; a section without a number has no link. */
  counts: Partial<Record<keyof Messages["dashboard"]["sections"], number>>;
};

/** The sections of the administration with their counts, in one line. */
export function SectionLinks({ counts }: SectionLinksProps) {
  const t = useTranslations("dashboard");
  const pages = useTranslations("nav.pages");
  return (
    <nav aria-label={t("sectionsLabel")}>
      <ul className="flex flex-wrap gap-x-1 gap-y-0.5 text-muted-foreground">
        {NAVIGATION.map(({ key, href, icon: Icon }) => {
          if (!isSection(key, counts)) return null;
          return (
            <li key={key}>
              <HoverLink
                href={href}
                title={pages(key)}
                className="inline-flex min-h-9 items-center gap-1.5 rounded-md px-2 hover:bg-muted hover:text-foreground max-lg:min-h-11"
              >
                <Icon aria-hidden className="size-4" />
                <span>
                  {t.rich(`sections.${key}`, {
                    count: counts[key] ?? 0,
                    number: (text) => <span className="font-medium text-foreground tabular-nums">{text}</span>,
                  })}
                </span>
              </HoverLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function isSection<Counts extends object>(key: PropertyKey, counts: Counts): key is keyof Counts {
  return Object.hasOwn(counts, key);
}
