"use client";

import { Menu, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import { LanguageSwitch } from "@/components/common/language-switch";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { ThemeToggle } from "@/components/common/theme-toggle";
import { type DialogProps, useDialog } from "@/components/common/use-dialog";
import { useWhenIdle } from "@/components/common/use-when-idle";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";
import { AccountMenu } from "./account-menu";
import { BrandLink } from "./brand-link";
import { OfflineNotice } from "./offline-notice";
import type { ShellBrand, ShellNavigation, ShellSession } from "./types";
import { useSearchShortcut, useSearchShortcutLabel } from "./use-search-shortcut";

export type AppShellProps = {
  session: ShellSession;
  brand: ShellBrand;
  /** The link of the logo. */
  homeHref: string;
  profileHref: string;
  /**
   * Null if the user has a single screen: the shell then has only logo, search and account. What they do not need is not
   * imported here, so that it is not part of their first load.
   */
  navigation: ShellNavigation | null;
  onSignOut: () => void;
  /** The command palette. */
  palette: (dialog: DialogProps) => ReactNode;
  /** Called once the page is idle: loads what is likely needed next. */
  onIdle: () => unknown;
  /** A notice above every page, such as a license that expires soon. */
  banner?: ReactNode;
  children: ReactNode;
};

/**
 * The frame of every page after the sign-in: navigation on the left, a top bar with search, language, theme and
 * account, and the page. Below 992 px, the navigation is a sheet.
 */
export function AppShell({
  session,
  brand,
  homeHref,
  profileHref,
  navigation,
  onSignOut,
  palette: renderPalette,
  onIdle,
  banner,
  children,
}: AppShellProps) {
  const t = useTranslations("shell");
  const menu = useDialog();
  const palette = useDialog();
  const main = useMainFocus();
  const bare = navigation === null;

  useWhenIdle(onIdle);
  const shortcutKeys = useSearchShortcut(palette.show);

  return (
    <div
      data-collapsed={navigation?.collapsed || undefined}
      data-bare={bare || undefined}
      className={cn(
        "group/shell min-h-dvh [--shell-bar-height:3.5rem] lg:[--shell-bar-height:3.25rem]",
        "lg:[--shell-bar-end:20rem] xl:[--shell-bar-end:24rem] lg:[--sidebar-width:15rem] lg:data-[collapsed]:[--sidebar-width:3.5rem] data-[bare]:[--sidebar-width:0rem]!",
      )}
    >
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-20 rounded-lg bg-primary px-3 py-2 font-medium text-primary-foreground focus-visible:translate-y-0"
      >
        {t("skipToContent")}
      </a>

      {navigation?.sidebar}

      <div className="flex min-h-dvh flex-col transition-[padding] lg:pl-(--sidebar-width)">
        <TopBar
          brand={<BrandLink brand={brand} href={homeHref} />}
          menu={bare ? null : menu}
          onSearch={palette.show}
          searchKeys={shortcutKeys}
        >
          <AccountMenu session={session} profileHref={profileHref} onSignOut={onSignOut} />
        </TopBar>
        <OfflineNotice />
        {banner}
        <main
          ref={main}
          id="content"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-5 px-4 pt-5 pb-24 outline-none lg:px-8 lg:pt-7 lg:pb-12"
        >
          {children}
        </main>
        {bare && (
          <footer className="flex items-center justify-center gap-1 border-border border-t py-2 lg:hidden">
            <LanguageSwitch />
            <ThemeToggle />
          </footer>
        )}
      </div>

      {navigation && <OpenedDialog state={menu}>{navigation.sheet}</OpenedDialog>}
      <OpenedDialog state={palette}>{renderPalette}</OpenedDialog>
    </div>
  );
}

/**
 * The bar above the page: search, language and theme, and the account as `children`.
 * @param props.menu of the navigation on phones; null if there is no navigation
 */
function TopBar(props: {
  brand: ReactNode;
  menu: ReturnType<typeof useDialog> | null;
  onSearch: () => void;
  searchKeys: string | undefined;
  children: ReactNode;
}) {
  const { brand, menu, onSearch, searchKeys, children } = props;
  const t = useTranslations("shell");
  const shortcut = useSearchShortcutLabel();
  return (
    <header className="sticky top-0 z-20 h-(--shell-bar-height) shrink-0 border-border border-b bg-background">
      {/* As wide as the content, so that the two are aligned. */}
      <div className="mx-auto flex h-full w-full max-w-7xl items-center gap-1 px-2 lg:px-8">
        {menu && (
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("openNavigation")}
            aria-haspopup="dialog"
            aria-expanded={menu.open}
            loading={menu.pending}
            onClick={menu.show}
            className="lg:hidden"
          >
            <Menu aria-hidden className="size-5" />
          </Button>
        )}
        <div className="min-w-0 flex-1">
          <div className={cn("flex", menu ? "lg:hidden" : "px-2")}>{brand}</div>
        </div>
        <Button
          variant="secondary"
          onClick={onSearch}
          aria-keyshortcuts={searchKeys}
          className="justify-start font-normal text-muted-foreground max-lg:size-10 max-lg:justify-center max-lg:border-transparent max-lg:bg-transparent max-lg:px-0 lg:mr-1 lg:w-40 xl:w-56"
        >
          <Search aria-hidden className="size-4 max-lg:size-5" />
          <span className="max-lg:sr-only">{t("palette.open")}</span>
          <Kbd aria-hidden className="ml-auto max-lg:hidden">
            {shortcut}
          </Kbd>
        </Button>
        <div className="hidden items-center gap-1 lg:flex">
          <LanguageSwitch />
          <ThemeToggle />
        </div>
        {children}
      </div>
    </header>
  );
}

/**
 * Moves the focus to the page's content after a client-side navigation, as a full page load does, and when the element that
 * has it is removed, such as the button of a step that is done.
 */
function useMainFocus() {
  const main = useRef<HTMLElement>(null);
  const pathname = usePathname();
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);

  useEffect(() => {
    const content = main.current;
    if (!content) return;
    let focused: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      focused = target instanceof Element && content.contains(target) ? target : null;
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = null;
      if (document.activeElement === document.body) content.focus({ preventScroll: true });
    });
    document.addEventListener("focusin", note);
    observer.observe(content, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, []);

  return main;
}
