"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { ErrorReporting } from "@/components/common/error-reporting/error-reporting";
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

export type ProvidersProps = {
  children: ReactNode;
  nonce: string | undefined;
  /** The address of the Sentry project that errors are reported to. */
  reportTo: string | undefined;
};

/** What every page needs in the browser: theme, notifications, the user's time zone. */
export function Providers({ children, nonce, reportTo }: ProvidersProps) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <PendingBar />
      <NavigationProvider>{children}</NavigationProvider>
      <Notifications />
      <TimeZoneSync />
      <ServiceWorker />
      {reportTo !== undefined && <ErrorReporting dsn={reportTo} />}
    </ThemeProvider>
  );
}
