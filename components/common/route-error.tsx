"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { reportError } from "@/lib/client/error-reports";
import { ErrorState } from "./error-state";

export type RouteErrorProps = { error: unknown; retry: () => void };

/**
 * The default export of a route's `error.tsx`: says that the page failed, with the code that identifies it in the log.
 */
export function RouteError({ error, retry }: RouteErrorProps) {
  const t = useTranslations("common.error");
  useEffect(() => {
    console.error(error);
    reportError(error);
  }, [error]);
  return (
    <ErrorState
      title={t("title")}
      code={digestOf(error)}
      onRetry={isLoadFailure(error) ? () => location.reload() : retry}
      className="my-6"
    />
  );
}

/** Whether code of the page could not be loaded. React keeps such a failure until the page is loaded again. */
function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && error.name === "ChunkLoadError";
}

function digestOf(error: unknown): string | undefined {
  return error instanceof Error && "digest" in error && typeof error.digest === "string" ? error.digest : undefined;
}
