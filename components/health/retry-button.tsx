"use client";

import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

/** Has a failed job run again. The page is loaded again in any case: a refusal means that it shows an old state. */
export function RetryButton({ id, job }: { id: string; job: string }) {
  const t = useTranslations("health");
  const router = useRouter();
  const { run, pending } = useOperation("config/retry-job");
  const [isRefreshing, startRefreshing] = useTransition();

  const retry = async () => {
    const result = await run({ id });
    if (result.ok) notify.success(t("retried"));
    if (result.ok || result.problem.status > 0) startRefreshing(() => router.refresh());
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      className="shrink-0 self-start"
      aria-label={t("retryLabel", { job })}
      loading={pending || isRefreshing}
      onClick={retry}
    >
      <RotateCcw aria-hidden className="text-muted-foreground" />
      {t("retry")}
    </Button>
  );
}
