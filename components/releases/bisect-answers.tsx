"use client";

import { CircleCheck, CircleX, type LucideIcon, SkipForward } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/client/use-operation";
import { BISECT_ANSWERS, type BisectAnswer } from "@/lib/features/bisects/rules";

export type BisectAnswersProps = {
  bisectId: string;
  /** The release that is tried. */
  releaseId: string;
  /** Its name. */
  name: string;
};

const ICONS: Readonly<Record<BisectAnswer, { icon: LucideIcon; className: string }>> = {
  good: { icon: CircleCheck, className: "text-success" },
  bad: { icon: CircleX, className: "text-danger" },
  skip: { icon: SkipForward, className: "text-muted-foreground" },
};

/** The answers about the build that is tried. On phones, they stay at the bottom of the screen, within reach of the thumb. */
export function BisectAnswers({ bisectId, releaseId, name }: BisectAnswersProps) {
  const t = useTranslations("bisects");
  const router = useRouter();
  const answer = useOperation("apps/answer-bisect");
  const [refreshing, startRefresh] = useTransition();
  const [given, setGiven] = useState<{ releaseId: string; answer: BisectAnswer } | null>(null);
  const busy = answer.pending || refreshing;

  const give = async (value: BisectAnswer) => {
    setGiven({ releaseId, answer: value });
    const result = await answer.run({ id: bisectId, answer: value, releaseId });
    // The page then shows what another tab or device did.
    const isOutdated = !result.ok && ["conflict", "not_found"].includes(result.problem.code);
    if (result.ok || isOutdated) startRefresh(() => router.refresh());
  };

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
              onClick={() => void give(value)}
              className="h-16 min-w-0 flex-col gap-1 px-1 lg:h-14"
            >
              <Icon aria-hidden className={`size-5 ${className}`} />
              {t(`answers.${value}`)}
            </Button>
          );
        })}
      </div>
    </fieldset>
  );
}
