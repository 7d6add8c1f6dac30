"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiCallError, type ApiProblem, query } from "@/lib/client/client";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { ConfigurationDiff } from "@/lib/features/configuration/schema";

export type ComparedVersions = {
  environmentId: string;
  /** 0 is the configuration before the first version. */
  from: number;
  to: number | "current";
};

const CHANGE_TONES = { added: "success", removed: "danger", changed: "info" } as const;

/** The differences between two versions of an environment's configuration, without secure values. */
export function CompareDialog({ open, onOpenChange, ...compared }: DialogProps & ComparedVersions) {
  const t = useTranslations("configuration.diff");
  const common = useTranslations("common");
  const { diff, problem, retry } = useDiff(compared);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="lg" aria-describedby={undefined}>
        <DialogHeader>
          <DialogTitle>{diff ? t("title", { from: diff.from, to: diff.to }) : t("loading")}</DialogTitle>
        </DialogHeader>
        <DialogBody className="pb-5">
          {problem ? (
            <ErrorState
              title={t("failed")}
              description={problem.detail}
              code={problem.requestId ?? undefined}
              onRetry={retry}
            />
          ) : diff ? (
            <Differences diff={diff} />
          ) : (
            <div role="status" aria-label={t("loading")} className="flex flex-col gap-3">
              <Skeleton className="h-16 w-full" />
              <Skeleton className="h-16 w-full" />
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="secondary">{common("close")}</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function Differences({ diff: { items } }: { diff: ConfigurationDiff }) {
  const t = useTranslations("configuration.diff");
  const kinds = useTranslations("configuration.kind");
  if (items.length === 0) return <p className="text-muted-foreground">{t("none")}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {items.map((item) => (
        <li
          key={`${item.kind} ${item.key}`}
          className="flex min-w-0 flex-col gap-2 rounded-lg border border-border px-3 py-2.5"
        >
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={CHANGE_TONES[item.change]}>{t(item.change)}</Badge>
            <code className="min-w-0 break-all font-mono text-[0.8125rem]">{item.key}</code>
            <span className="text-muted-foreground text-xs">{kinds(item.kind)}</span>
          </span>
          <ItemDetails item={item} />
        </li>
      ))}
    </ul>
  );
}

function ItemDetails({ item }: { item: ConfigurationDiff["items"][number] }) {
  const t = useTranslations("configuration.diff");
  const statuses = useTranslations("common.status");
  const isHidden =
    item.change === "changed" && item.valueChanged && item.before === undefined && item.after === undefined;
  const { status, name } = item.change === "changed" ? item.fields : {};
  const statusText = (value: unknown) =>
    value === "active" || value === "inactive" ? statuses(value, { gender: "feminine" }) : "";
  return (
    <>
      {item.valueChanged && item.before !== undefined && <ValueLine sign="−" label={t("before")} value={item.before} />}
      {item.valueChanged && item.after !== undefined && <ValueLine sign="+" label={t("after")} value={item.after} />}
      {isHidden && (
        <p className="text-muted-foreground">{t(item.kind === "dev-variable" ? "hiddenAccess" : "hidden")}</p>
      )}
      {name && (
        <p className="break-words text-muted-foreground">
          {t("field", { field: t("name"), before: String(name[0]), after: String(name[1]) })}
        </p>
      )}
      {status && (
        <p className="text-muted-foreground">
          {t("field", { field: t("status"), before: statusText(status[0]), after: statusText(status[1]) })}
        </p>
      )}
    </>
  );
}

function ValueLine({ sign, label, value }: { sign: "−" | "+"; label: string; value: string }) {
  return (
    <div
      className={
        sign === "+"
          ? "flex min-w-0 gap-2 rounded-md bg-success-surface px-2 py-1"
          : "flex min-w-0 gap-2 rounded-md bg-danger-surface px-2 py-1"
      }
    >
      <span aria-hidden className="select-none font-mono">
        {sign}
      </span>
      <span className="sr-only">{label}</span>
      <code className="min-w-0 whitespace-pre-wrap break-all font-mono text-[0.8125rem]">{value}</code>
    </div>
  );
}

function useDiff({ environmentId, from, to }: ComparedVersions) {
  const withTexts = useProblemTexts();
  const [attempt, setAttempt] = useState(0);
  const [diff, setDiff] = useState<ConfigurationDiff | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again
  useEffect(() => {
    const controller = new AbortController();
    query("apps/get-configuration-diff", { environmentId, from, to }, { signal: controller.signal }).then(
      setDiff,
      (error: unknown) => {
        if (error instanceof ApiCallError) setProblem(withTexts(error.problem));
      },
    );
    return () => controller.abort();
  }, [environmentId, from, to, withTexts, attempt]);

  const retry = () => {
    setProblem(null);
    setAttempt((count) => count + 1);
  };
  return { diff, problem, retry };
}
