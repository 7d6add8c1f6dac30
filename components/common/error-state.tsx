"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

export type ErrorStateProps = {
  /** By default, that something could not be loaded. */
  title?: ReactNode;
  description?: ReactNode;
  /** A code that identifies the failure in the log: a request ID or an error's digest. */
  code?: string;
  /** Retries; if omitted, there is no button. */
  onRetry?: () => void;
  className?: string;
};

/** Shown if something could not be loaded, with a retry button. */
export function ErrorState({ title, description, code, onRetry, className }: ErrorStateProps) {
  const t = useTranslations("common");
  const [retrying, startRetry] = useTransition();
  return (
    <div
      data-slot="error-state"
      role="alert"
      className={cn(
        "flex flex-col items-center justify-center gap-4 rounded-lg border border-border border-dashed px-6 py-14 text-center",
        className,
      )}
    >
      <div
        aria-hidden
        className="flex size-10 items-center justify-center rounded-lg border border-danger-border bg-danger-surface text-danger"
      >
        <TriangleAlert className="size-4.5" />
      </div>
      <div className="flex max-w-md flex-col gap-1">
        <p className="text-balance font-medium">{title ?? t("error.part")}</p>
        <p className="text-pretty text-muted-foreground leading-5">
          {description ?? t(code ? "error.description" : "error.withoutCode")}
        </p>
        {code && (
          <p className="mt-1 break-all text-muted-foreground text-xs">
            {t("error.code")}: <code className="font-mono text-foreground">{code}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button variant="secondary" loading={retrying} onClick={() => startRetry(onRetry)}>
          <RotateCw aria-hidden />
          {t("retry")}
        </Button>
      )}
    </div>
  );
}
