"use client";

import { CircleCheck, CircleX, type LucideIcon, SkipForward, Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { releaseName } from "@/components/common/releases/release-name";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/client/use-operation";
import { BISECT_ANSWERS, type BisectAnswer } from "@/lib/features/bisects/rules";
import type { Bisect } from "@/lib/features/bisects/schema";

export type BisectAnswersProps = {
  bisectId: string;
  /** The release that is tried. */
  releaseId: string;
  /** Its name. */
  name: string;
  last: Bisect["last"];
};

type Given = { releaseId: string; answer: BisectAnswer | "undo" };

/** Sends answers, and shows the page as it is after each. */
function useAnswers(bisectId: string) {
  const router = useRouter();
  const answer = useOperation("apps/answer-bisect");
  const [refreshing, startRefresh] = useTransition();
  const [given, setGiven] = useState<Given | null>(null);

  const give = async (value: Given) => {
    setGiven(value);
    const result = await answer.run({ id: bisectId, ...value });
    // The page then shows what another tab or device did.
    const isOutdated = !result.ok && ["conflict", "not_found"].includes(result.problem.code);
    if (result.ok || isOutdated) startRefresh(() => router.refresh());
  };
  return { give, given, busy: answer.pending || refreshing };
}

const ICONS: Readonly<Record<BisectAnswer, { icon: LucideIcon; className: string }>> = {
  good: { icon: CircleCheck, className: "text-success" },
  bad: { icon: CircleX, className: "text-danger" },
  skip: { icon: SkipForward, className: "text-muted-foreground" },
};

/** The answers about the build that is tried. On phones, they stay at the bottom of the screen, within reach of the thumb. */
export function BisectAnswers({ bisectId, releaseId, name, last }: BisectAnswersProps) {
  const t = useTranslations("bisects");
  const { give, given, busy } = useAnswers(bisectId);

  return (
    <fieldset className="flex flex-col gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-border max-lg:border-t max-lg:bg-background max-lg:px-4 max-lg:pt-2.5 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <legend className="sr-only">{t("question", { name })}</legend>
      <p aria-hidden className="truncate text-center font-medium lg:text-start">
        {t("question", { name })}
      </p>
      <div className="grid grid-cols-3 gap-2">
        {BISECT_ANSWERS.map((value) => {
          const { icon: Icon, className } = ICONS[value];
          return (
            <Button
              key={value}
              variant="secondary"
              disabled={busy && given?.answer !== value}
              loading={busy && given?.releaseId === releaseId && given.answer === value}
              onClick={() => void give({ releaseId, answer: value })}
              className="h-16 min-w-0 flex-col gap-1 px-1 lg:h-14"
            >
              <Icon aria-hidden className={`size-5 ${className}`} />
              {t(`answers.${value}`)}
            </Button>
          );
        })}
      </div>
      <UndoAnswer bisectId={bisectId} last={last} />
    </fieldset>
  );
}

/** Takes back the last answer, if there is one. */
export function UndoAnswer({ bisectId, last }: Pick<BisectAnswersProps, "bisectId" | "last">) {
  const t = useTranslations("bisects");
  const { give, busy } = useAnswers(bisectId);
  if (!last) return null;
  const label = t("undo", { answer: t(`answers.${last.answer}`), name: releaseName(last) });
  return (
    <Button
      variant="ghost"
      loading={busy}
      onClick={() => void give({ releaseId: last.id, answer: "undo" })}
      className="min-h-11 min-w-0 self-center whitespace-normal lg:self-start"
    >
      <Undo2 aria-hidden />
      {label}
    </Button>
  );
}
