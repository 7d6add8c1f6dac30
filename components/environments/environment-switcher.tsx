"use client";

import { ChevronsUpDown, Layers } from "lucide-react";
import { useTranslations } from "next-intl";
import { Menu } from "@/components/common/menu";
import { cn } from "@/components/ui/cn";

export type EnvironmentSwitcherProps = {
  /** The environments of the application, each with the link to the same section there. */
  environments: readonly { id: string; name: string; href: string }[];
  current: { id: string; name: string };
  /** Shows only the icon, beside a title that has the name. */
  iconOnly?: boolean;
  className?: string;
};

/** The name of the current environment as a menu of the application's environments. */
export function EnvironmentSwitcher({ environments, current, iconOnly = false, className }: EnvironmentSwitcherProps) {
  const t = useTranslations("environments");
  return (
    <Menu
      className="max-h-96 max-w-72"
      sections={[
        {
          label: t("switch"),
          items: environments.map(({ id, name, href }) => ({
            label: name,
            icon: <Layers aria-hidden />,
            href,
            current: id === current.id,
          })),
        },
      ]}
      trigger={
        <button
          type="button"
          aria-label={`${t("switch")}: ${current.name}`}
          className={cn(
            "flex min-h-6 min-w-0 items-center gap-1 rounded-sm text-foreground hover:bg-accent data-[state=open]:bg-accent",
            iconOnly ? "size-11 justify-center" : "-mx-1 px-1",
            className,
          )}
        >
          {!iconOnly && <span className="truncate">{current.name}</span>}
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
        </button>
      }
    />
  );
}
