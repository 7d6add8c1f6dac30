"use client";

import { ArrowLeftRight } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Fragment, useEffect, useState } from "react";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Badge } from "@/components/ui/badge";
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

export type CompareDialogProps = DialogProps &
  ComparedVersions & {
    /** The number of the latest version. With it, the user can compare other versions. */
    latest?: number;
  };

/** The differences between two versions of an environment's configuration, without secure values. */
export function CompareDialog({ open, onOpenChange, latest, ...initial }: CompareDialogProps) {
  const t = useTranslations("configuration.diff");
  const common = useTranslations("common");
  const [compared, setCompared] = useState<ComparedVersions>(initial);
  const { diff, problem, pending, retry } = useDiff(compared);
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
              <Differences diff={diff} />
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

function Differences({ diff: { items, valuesOmitted } }: { diff: ConfigurationDiff }) {
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
          <ItemDetails item={item} valuesOmitted={valuesOmitted === true} />
        </li>
      ))}
    </ul>
  );
}

type ItemDetailsProps = { item: ConfigurationDiff["items"][number]; valuesOmitted: boolean };

function ItemDetails({ item, valuesOmitted }: ItemDetailsProps) {
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
        <p className="text-muted-foreground">
          {t(item.kind !== "dev-variable" ? "hidden" : valuesOmitted ? "omitted" : "hiddenAccess")}
        </p>
      )}
      {name && (
        <p className="break-words text-muted-foreground">
          {t("field", { field: t("name"), before: String(name[0]), after: String(name[1]) })}
        </p>
      )}
      {item.kind === "secure-certificate" && item.change === "changed" && <CertificateFields fields={item.fields} />}
      {status && (
        <p className="text-muted-foreground">
          {t("field", { field: t("status"), before: statusText(status[0]), after: statusText(status[1]) })}
        </p>
      )}
    </>
  );
}

/** What differs in a certificate's file. */
function CertificateFields({ fields }: Pick<ConfigurationDiff["items"][number], "fields">) {
  const t = useTranslations("configuration.diff");
  const certificates = useTranslations("certificates");
  const format = useFormatter();
  const day = (value: unknown) =>
    typeof value === "string" ? format.dateTime(new Date(value), { dateStyle: "medium" }) : certificates("unknown");
  const text = (value: unknown) => (typeof value === "string" ? value : certificates("unknown"));
  const { fileName, subject, expirationDate } = fields;
  const lines = [
    fileName && { field: certificates("file"), before: text(fileName[0]), after: text(fileName[1]) },
    subject && { field: certificates("facts.subject"), before: text(subject[0]), after: text(subject[1]) },
    expirationDate && {
      field: certificates("facts.expires"),
      before: day(expirationDate[0]),
      after: day(expirationDate[1]),
    },
  ].filter((line) => line !== undefined);
  return lines.map((line) => (
    <p key={line.field} className="break-words text-muted-foreground">
      {t("field", line)}
    </p>
  ));
}

function ValueLine({ sign, label, value }: { sign: "−" | "+"; label: string; value: string }) {
  const t = useTranslations("configuration.diff");
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
      {value === "" ? (
        <span className="text-muted-foreground">{t("empty")}</span>
      ) : (
        <code className="min-w-0 whitespace-pre-wrap break-all font-mono text-[0.8125rem]">{value}</code>
      )}
    </div>
  );
}

/** The differences between two versions, with the previous ones until others have arrived. */
function useDiff({ environmentId, from, to }: ComparedVersions) {
  const withTexts = useProblemTexts();
  const [attempt, setAttempt] = useState(0);
  const [diff, setDiff] = useState<ConfigurationDiff | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [pending, setPending] = useState(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setPending(true);
    query("apps/get-configuration-diff", { environmentId, from, to }, { signal }).then(
      (answer) => {
        if (signal.aborted) return;
        setDiff(answer);
        setProblem(null);
        setPending(false);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (error instanceof ApiCallError) setProblem(withTexts(error.problem));
        setPending(false);
      },
    );
    return () => controller.abort();
  }, [environmentId, from, to, withTexts, attempt]);

  const retry = () => {
    setProblem(null);
    setAttempt((count) => count + 1);
  };
  return { diff, problem, pending, retry };
}
