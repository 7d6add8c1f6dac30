"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { Notifications } from "@/components/common/notifications";
import { NavigationProvider } from "@/components/common/pending/navigation";
import { PendingBar } from "@/components/common/pending/pending-bar";
import { ServiceWorker } from "@/components/common/service-worker/service-worker";
import { TimeZoneSync } from "@/components/common/shell/time-zone-sync";

declare global {
  /** Shared by all copies of zod on a page. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// zod would test whether it may evaluate code, which the content security policy blocks and reports.
if (typeof window !== "undefined") globalThis.__zod_globalConfig = { ...globalThis.__zod_globalConfig, jitless: true };

/** What every page needs in the browser: theme, notifications, the user's time zone. */
export function Providers({ children, nonce }: { children: ReactNode; nonce: string | undefined }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <PendingBar />
      <NavigationProvider>{children}</NavigationProvider>
      <Notifications />
      <TimeZoneSync />
      <ServiceWorker />
    </ThemeProvider>
  );
}
