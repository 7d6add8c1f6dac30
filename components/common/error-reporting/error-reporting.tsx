"use client";

import { useEffect } from "react";
import { reportError } from "@/lib/client/error-reports";
import { whenIdle } from "@/lib/client/when-idle";

/** Reports errors of the page to Sentry. Its code is loaded when the page is idle; errors before that wait for it. */
export function ErrorReporting({ dsn }: { dsn: string }) {
  useEffect(() => {
    const onError = (event: ErrorEvent) => reportError(event.error);
    const onRejection = (event: PromiseRejectionEvent) => reportError(event.reason);
    window.addEventListener("error", onError);
    window.addEventListener("unhandledrejection", onRejection);
    const stopWaiting = () => {
      window.removeEventListener("error", onError);
      window.removeEventListener("unhandledrejection", onRejection);
    };
    const cancel = whenIdle(() =>
      import("./sentry").then(
        ({ startReporting }) => {
          stopWaiting();
          startReporting(dsn);
        },
        () => {},
      ),
    );
    return () => {
      cancel();
      stopWaiting();
    };
  }, [dsn]);
  return null;
}
