"use client";

import type { ReactNode } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { useSignOut } from "@/components/common/session/use-sign-out";
import { AppShell } from "@/components/common/shell/app-shell";
import type { ShellBrand, ShellSession } from "@/components/common/shell/types";
import { PAGES } from "@/lib/kernel/navigation/pages";

// Loaded when the page is idle or it is opened, not with the first page.
const loadPalette = () => import("./console-palette").then((module) => module.ConsolePalette);
const ConsolePalette = lazyDialog(loadPalette);

export type TesterFrameProps = { session: ShellSession; brand: ShellBrand; children: ReactNode };

/** The shell of users who only install releases, without navigation. */
export function TesterFrame({ session, brand, children }: TesterFrameProps) {
  const { signOut } = useSignOut();
  return (
    <AppShell
      session={session}
      brand={brand}
      homeHref={PAGES.home}
      profileHref={PAGES.profile}
      navigation={null}
      onSignOut={signOut}
      onIdle={loadPalette}
      palette={(dialog) => <ConsolePalette {...dialog} isAdmin={false} apps={[]} onSignOut={signOut} />}
    >
      {children}
    </AppShell>
  );
}
