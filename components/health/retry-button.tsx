"use client";

import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

/**
 * Has a failed job run again. The page is loaded again in any case: a refusal means that it shows an old state.
 * @param done the text of the notification that it will run
 */
export function RetryButton({
  id,
  label,
  done,
  children,
}: {
  id: string;
  label: string;
  done: string;
  children: ReactNode;
}) {
  const router = useRouter();
  const { run, pending } = useOperation("config/retry-job");
  const [isRefreshing, startRefreshing] = useTransition();

  const retry = async () => {
    const result = await run({ id });
    if (result.ok) notify.success(done);
    if (result.ok || result.problem.status > 0) startRefreshing(() => router.refresh());
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      className="shrink-0 self-start"
      aria-label={label}
      loading={pending || isRefreshing}
      onClick={retry}
    >
      <RotateCcw aria-hidden className="text-muted-foreground" />
      {children}
    </Button>
  );
}
