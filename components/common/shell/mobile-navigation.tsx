"use client";

import { useTranslations } from "next-intl";
import { LanguageSwitch } from "@/components/common/language-switch";
import { ThemeToggle } from "@/components/common/theme-toggle";
import type { DialogProps } from "@/components/common/use-dialog";
import { Sheet, SheetContent, SheetTitle } from "@/components/ui/sheet";
import { AppSwitcher } from "./app-switcher";
import { BrandLink } from "./brand-link";
import { NavList, type NavListProps } from "./nav-list";
import type { ShellApp, ShellApps, ShellBrand } from "./types";

export type MobileNavigationProps = DialogProps & {
  brand: ShellBrand;
  homeHref: string;
  navigation: Pick<NavListProps, "groups" | "administerFolded" | "onFoldAdminister">;
  switcher: ShellApps;
  /** The application that the page belongs to. */
  app: ShellApp | null;
  allAppsHref: string;
};

/** The navigation on phones: a sheet from the left. */
export function MobileNavigation({
  open,
  onOpenChange,
  brand,
  homeHref,
  navigation,
  switcher,
  app,
  allAppsHref,
}: MobileNavigationProps) {
  const t = useTranslations("shell");
  const close = () => onOpenChange(false);
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent side="left" aria-describedby={undefined} className="bg-sidebar">
        <SheetTitle className="sr-only">{t("navigation")}</SheetTitle>
        <div className="flex h-14 shrink-0 items-center px-4">
          <BrandLink brand={brand} href={homeHref} onNavigate={close} />
        </div>
        <div className="px-3 pb-2">
          <AppSwitcher {...switcher} current={app} allHref={allAppsHref} onNavigate={close} />
        </div>
        <nav
          aria-label={t("navigation")}
          className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overscroll-contain px-3 py-2"
        >
          <NavList {...navigation} onNavigate={close} />
        </nav>
        <div className="flex items-center gap-1 border-sidebar-border border-t px-3 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
          <LanguageSwitch />
          <ThemeToggle />
        </div>
      </SheetContent>
    </Sheet>
  );
}
