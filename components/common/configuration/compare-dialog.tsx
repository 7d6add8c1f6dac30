"use client";

import { ArrowLeftRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fragment, useState } from "react";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { DifferenceList } from "./difference-list";
import { type ComparedVersions, useConfigurationDiff } from "./use-configuration-diff";

export type CompareDialogProps = DialogProps &
  ComparedVersions & {
    from: number;
    /** The number of the latest version. With it, the user can compare other versions. */
    latest?: number;
  };

/** The differences between two versions of an environment's configuration, without secure values. */
export function CompareDialog({ open, onOpenChange, latest, ...initial }: CompareDialogProps) {
  const t = useTranslations("configuration.diff");
  const common = useTranslations("common");
  const [compared, setCompared] = useState<ComparedVersions>(initial);
  const { diff, problem, pending, retry } = useConfigurationDiff(compared);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="lg"
        // The fields for the versions stay in their place when the differences arrive.
        className="lg:top-[12vh] lg:max-h-[76vh] lg:translate-y-0"
        aria-describedby={undefined}
      >
        <DialogHeader>
          <DialogTitle>
            {latest === undefined && diff ? t("title", { from: diff.from, to: diff.to }) : t("heading")}
          </DialogTitle>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4 pb-5">
          {latest !== undefined && (
            <VersionsChoice
              latest={latest}
              initial={initial}
              onChange={(versions) => setCompared({ ...initial, ...versions })}
            />
          )}
          {problem ? (
            <ErrorState
              title={t("failed")}
              description={problem.detail}
              code={problem.requestId ?? undefined}
              onRetry={retry}
            />
          ) : diff ? (
            <div aria-busy={pending} className={cn("transition-opacity", pending && "opacity-60")}>
              {diff.items.length === 0 ? (
                <p className="text-muted-foreground">{t("none")}</p>
              ) : (
                <div className="flex flex-col gap-3">
                  <DifferenceList {...diff} />
                </div>
              )}
            </div>
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

type Versions = Record<"from" | "to", number>;

type VersionsChoiceProps = {
  latest: number;
  initial: ComparedVersions;
  /** Called when both numbers are those of versions. */
  onChange: (versions: Versions) => void;
};

/** The number in a field, if it is 0 or that of a version. */
function versionIn(text: string, latest: number): number | null {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return number !== null && number <= latest ? number : null;
}

/** Two fields for the numbers of the compared versions. */
function VersionsChoice({ latest, initial, onChange }: VersionsChoiceProps) {
  const t = useTranslations("configuration.diff");
  const [texts, setTexts] = useState({
    from: String(initial.from),
    to: String(initial.to === "current" ? latest : initial.to),
  });

  const change = (changed: Partial<typeof texts>) => {
    const next = { ...texts, ...changed };
    setTexts(next);
    const [from, to] = [versionIn(next.from, latest), versionIn(next.to, latest)];
    if (from !== null && to !== null) onChange({ from, to });
  };

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-start gap-x-2 pt-1">
      {(["from", "to"] as const).map((side) => (
        <Fragment key={side}>
          {side === "to" && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={t("swap")}
              onClick={() => change({ from: texts.to, to: texts.from })}
              className="mt-6.5"
            >
              <ArrowLeftRight aria-hidden />
            </Button>
          )}
          <Field
            label={t(side)}
            error={versionIn(texts[side], latest) === null ? t("noVersion", { latest }) : undefined}
          >
            <Input
              value={texts[side]}
              onChange={({ target }) => change({ [side]: target.value.trim() })}
              onFocus={({ target }) => target.select()}
              inputMode="numeric"
              autoComplete="off"
              className="tabular-nums"
            />
          </Field>
        </Fragment>
      ))}
      <p className="col-span-full mt-1.5 text-muted-foreground text-xs leading-4.5">{t("beforeFirst")}</p>
    </div>
  );
}
