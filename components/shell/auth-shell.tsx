import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LanguageSwitch } from "@/components/common/language-switch";
import { ThemeToggle } from "@/components/common/theme-toggle";
import { BrandMark } from "./brand-mark";
import { LaunchScene } from "./launch-scene";
import type { ShellBrand } from "./types";

export type AuthShellProps = {
  brand: ShellBrand & {
    /** The app config's description; without one, the product's own line. */
    description?: string | null;
  };
  title: ReactNode;
  description?: ReactNode;
  /** Above the form: that HTTPS is needed, that a link has expired. */
  notice?: ReactNode;
  /** Below the form: the way back, the way to help. */
  footer?: ReactNode;
  children: ReactNode;
};

/** The frame of the pages before the sign-in. */
export function AuthShell({ brand, title, description, notice, footer, children }: AuthShellProps) {
  const t = useTranslations("shell.auth");
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,5fr)_6fr]">
      <aside className="relative hidden flex-col gap-14 overflow-hidden border-sidebar-border border-r bg-sidebar p-10 lg:flex">
        <div className="flex items-center gap-3">
          <BrandMark logoUrl={brand.logoUrl} className="size-8" />
          <span className="truncate font-semibold text-base tracking-tight">{brand.name}</span>
        </div>
        <p className="relative z-1 max-w-96 text-balance font-semibold text-3xl leading-10 tracking-tight">
          {brand.description || t("tagline")}
        </p>
        <LaunchScene className="absolute inset-x-0 bottom-0 h-[72%] w-full" />
      </aside>
      <div className="flex min-h-dvh flex-col">
        <header className="flex h-14 items-center justify-between gap-3 px-4 lg:justify-end lg:px-6">
          <div className="flex min-w-0 items-center gap-2.5 lg:hidden">
            <BrandMark logoUrl={brand.logoUrl} />
            <span className="truncate font-semibold text-[0.9375rem] tracking-tight">{brand.name}</span>
          </div>
          <div className="flex items-center gap-1">
            <LanguageSwitch />
            <ThemeToggle />
          </div>
        </header>
        <main className="flex flex-1 flex-col items-center px-5 pt-8 pb-16 lg:justify-center lg:pt-4 lg:pb-24">
          <div className="flex w-full max-w-sm flex-col gap-6">
            <div className="flex flex-col gap-1.5">
              <h1 className="text-balance font-semibold text-2xl leading-8 tracking-tight">{title}</h1>
              {description && <p className="text-pretty text-muted-foreground leading-5">{description}</p>}
            </div>
            {notice}
            {children}
            {footer && <div className="text-center text-muted-foreground">{footer}</div>}
          </div>
        </main>
      </div>
    </div>
  );
}
