import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import type { Messages } from "@/lib/kernel/i18n/translator";
import { TourOffer } from "./tour-offer";

type FirstStep = {
  key: keyof Messages["dashboard"]["steps"];
  done: boolean;
  /** The button of the step, if it can be done now. */
  action: ReactNode;
};

/** The steps from an empty console to the first tester. @param tour whether the guided tour is offered */
export function FirstSteps({ steps, tour }: { steps: readonly FirstStep[]; tour: boolean }) {
  const t = useTranslations("dashboard");
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  if (!next) return null;
  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-4 pb-3 lg:px-5">
        <h2 className="font-semibold leading-5 tracking-tight">{t("firstSteps")}</h2>
        <p className="text-muted-foreground text-xs tabular-nums">{t("progress", { done, total: steps.length })}</p>
      </div>
      <ol className="divide-y divide-border border-border border-t">
        {steps.map((step, index) => (
          <li key={step.key} className="flex items-center gap-3.5 px-4 py-3 lg:px-5">
            <span
              aria-hidden
              className={cn(
                "flex size-6 shrink-0 items-center justify-center rounded-full border font-medium text-xs tabular-nums",
                step.done && "border-success-border bg-success-surface text-success",
                step === next && "border-primary text-link",
                !step.done && step !== next && "border-border text-muted-foreground",
              )}
            >
              {step.done ? <Check className="size-3.5" strokeWidth={2.5} /> : index + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col gap-2 lg:flex-row lg:items-center lg:justify-between lg:gap-4">
              <div className="flex min-w-0 flex-col">
                <span className={cn("font-medium", step.done && "text-muted-foreground")}>
                  {t(`steps.${step.key}.title`)}
                  {step.done && <span className="sr-only"> ({t("done")})</span>}
                </span>
                {!step.done && (
                  <span className="text-pretty text-muted-foreground leading-5">
                    {t(`steps.${step.key}.description`)}
                  </span>
                )}
              </div>
              {!step.done && step.action && <div className="shrink-0">{step.action}</div>}
            </div>
          </li>
        ))}
      </ol>
      {tour && <TourOffer />}
    </Card>
  );
}
