import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LanguageSwitch } from "@/components/common/language-switch";
import { ThemeToggle } from "@/components/common/theme-toggle";
import { AuthPanel, type AuthPanelProps } from "./auth-panel";
import { BrandMark } from "./brand-mark";
import { LaunchScene } from "./launch-scene";
import type { ShellBrand } from "./types";

type AuthShellBrand = ShellBrand & {
  /** The app config's description; if empty, the default sentence. */
  description?: string | null;
};

export type AuthFrameProps = { brand: AuthShellBrand; children: ReactNode };
export type AuthShellProps = { brand: AuthShellBrand } & Omit<AuthPanelProps, "replaces">;

/** A page before the sign-in with a single panel. */
export function AuthShell({ brand, ...panel }: AuthShellProps) {
  return (
    <AuthFrame brand={brand}>
      <AuthPanel {...panel} />
    </AuthFrame>
  );
}

/** The frame of the pages before the sign-in, around panels that replace each other. */
export function AuthFrame({ brand, children }: AuthFrameProps) {
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
          {children}
        </main>
      </div>
    </div>
  );
}
