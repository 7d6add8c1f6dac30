"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useAnswerFor } from "@/components/common/answer-for";
import { ChangesPreview } from "@/components/common/configuration/changes-preview";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { type CallResult, useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";

export type CopyDialogProps = DialogProps & {
  kind: EntryKind;
  from: { id: string; name: string };
  to: { id: string; name: string };
  keys: readonly string[];
  /** Called when the entries have been copied. */
  onCopied: () => void;
};

/** Shows what a copy of entries to another environment would change, and copies them. */
export function CopyDialog({ kind, from, to, keys, onCopied, open, onOpenChange }: CopyDialogProps) {
  const t = useTranslations("configuration.copy");
  const common = useTranslations("common");
  const router = useRouter();
  const copy = useOperation("apps/copy-variables");
  const { preview, problem, retry } = usePreview({ kind, from: from.id, to: to.id, keys });
  const count = preview ? preview.created + preview.updated : 0;

  const submit = async () => {
    const input = { fromEnvironmentId: from.id, toEnvironmentId: to.id, kind, keys: [...keys] };
    const result = await copy.run(input);
    if (!result.ok) return;
    const { created, updated } = result.data;
    notify.success(t("done", { count: created + updated, to: to.name }));
    onCopied();
    onOpenChange(false);
    router.refresh();
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="lg">
        <DialogHeader>
          <DialogTitle>{t("title", { from: from.name, to: to.name })}</DialogTitle>
          <DialogDescription>{t("description", { to: to.name })}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4 pb-5">
          {problem ? (
            <ErrorState
              title={t("failed")}
              description={problem.errors[0]?.message ?? problem.detail}
              code={problem.requestId ?? undefined}
              onRetry={retry}
            />
          ) : preview ? (
            <ChangesPreview kind={kind} preview={preview} />
          ) : (
            <div role="status" aria-label={t("loading")} className="flex flex-col gap-3">
              <Skeleton className="h-5 w-2/3" />
              <Skeleton className="h-16 w-full" />
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {common("cancel")}
          </Button>
          <Button loading={copy.pending} disabled={count === 0} onClick={() => void submit()}>
            {preview ? t("submit", { count }) : t("loading")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

type PreviewedCopy = { kind: EntryKind; from: string; to: string; keys: readonly string[] };

/** What a copy would change, once it is known. */
function usePreview({ kind, from, to, keys }: PreviewedCopy) {
  const { run } = useOperation("apps/copy-variables", { quiet: true });
  const [attempt, setAttempt] = useState(0);
  const [result, keep] = useAnswerFor<CallResult<OperationOutput<"apps/copy-variables">>>({ kind, from, to, keys });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    let isCurrent = true;
    const input = { fromEnvironmentId: from, toEnvironmentId: to, kind, keys: [...keys], dryRun: true };
    void run(input).then((answer) => {
      if (isCurrent) keep(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [run, keep, kind, from, to, keys, attempt]);

  const retry = () => {
    keep(null);
    setAttempt((count) => count + 1);
  };
  return { preview: result?.ok ? result.data : null, problem: result?.ok === false ? result.problem : null, retry };
}
