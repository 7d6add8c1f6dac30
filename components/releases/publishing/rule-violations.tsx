"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";
import { type ApiProblem, query } from "@/lib/client/client";

export type RuleViolationsProps = {
  /** Of the code `rule_violated`. */
  problem: ApiProblem;
  environmentId: string;
  /** The names of the files that were checked together, in the order in which they were sent. */
  files?: readonly string[];
  override: boolean;
  onOverride: (override: boolean) => void;
};

/** The name of the file that an issue is about, if its path, such as `ids.1.debuggable`, names one of several. */
function fileOf(path: string, files: readonly string[]): ReactNode {
  const index = /^ids\.(\d+)\./.exec(path)?.[1];
  const name = index === undefined ? undefined : files[Number(index)];
  return name === undefined ? null : <span className="font-medium">{name}: </span>;
}

/** The rules that a build breaks, and for those who may change the environment the choice to publish it anyway. */
export function RuleViolations({ problem, environmentId, files = [], override, onOverride }: RuleViolationsProps) {
  const t = useTranslations("rules");
  const id = useId();
  const [mayOverride, setMayOverride] = useState<boolean | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    query("apps/get-environment-app", { id: environmentId }, { signal: controller.signal }).then(
      ({ scopes }) => setMayOverride(scopes.includes("environment:write")),
      () => controller.signal.aborted || setMayOverride(false),
    );
    return () => controller.abort();
  }, [environmentId]);
  // In a low window they are below what the dialog shows.
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another refusal and the switch, which comes later, are shown too
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, [problem, mayOverride]);
  return (
    <div ref={box} className="flex scroll-mb-4 flex-col gap-3">
      <Alert tone="danger" title={problem.title}>
        <ul className="flex list-disc flex-col gap-1 ps-4">
          {problem.errors.map(({ path, message }) => (
            <li key={path} className="break-words">
              {fileOf(path, files)}
              {message}
            </li>
          ))}
        </ul>
        {mayOverride === false && <p className="pt-2">{t("askSomebody")}</p>}
      </Alert>
      {mayOverride && (
        <div className="flex items-center justify-between gap-4 rounded-lg border border-border px-3 py-2.5">
          <div className="flex flex-col gap-0.5">
            <Label htmlFor={id}>{t("override")}</Label>
            <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-4.5">
              {t("overrideHint")}
            </p>
          </div>
          <Switch id={id} aria-describedby={`${id}-hint`} checked={override} onCheckedChange={onOverride} />
        </div>
      )}
    </div>
  );
}
