import { useFormatter, useTranslations } from "next-intl";
import { ExportButton } from "@/components/common/data-table/export-button";
import { Disclosure } from "@/components/common/disclosure";
import { Plot } from "@/components/common/plots/plot";
import { openedDevice } from "@/components/common/releases/opened-device";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { InstallFunnel } from "@/lib/features/installs/schema";
import { PACKAGE_STEPS } from "@/lib/kernel/install-steps";
import { DAY_MS } from "@/lib/kernel/time";
import { obstacleTitle } from "./obstacle-title";
import { PeopleButton, type PeoplePlace } from "./people-button";

export type FunnelCardProps = {
  funnel: InstallFunnel;
  place: PeoplePlace | { appId: string };
  /** Names the place in the list of its people; null for those who do not see them. */
  peopleOf: string | null;
};

/** Days of the plot, and rows of the lists. */
const MAX_DAYS = 30;
const MAX_ROWS = 8;

/**
 * How many people who wanted to install reached each step, with details by day, system, model and the step at which
 * they stopped.
 */
export function FunnelCard({ funnel, place, peopleOf }: FunnelCardProps) {
  const t = useTranslations("funnel");
  const format = useFormatter();
  const countOf = (step: InstallFunnel["steps"][number]["step"]) =>
    funnel.steps.find((one) => one.step === step)?.count ?? 0;
  const opened = countOf("opened");
  // Releases of several systems have these steps in common.
  const common: readonly string[] = PACKAGE_STEPS;
  const steps = "releaseId" in place ? funnel.steps : funnel.steps.filter(({ step }) => common.includes(step));
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent className="gap-4">
        <Plot
          shape="rows"
          title={t("complete")}
          description={t("description")}
          headline={opened > 0 && format.number(countOf("complete") / opened, { style: "percent" })}
          categories={steps.map(({ step }) => ({ key: step, label: t(`steps.${step}`) }))}
          categoryLabel={t("step")}
          series={[{ key: "visits", label: t("visits"), values: steps.map(({ count }) => count), tone: "first" }]}
          format={(value) => format.number(value)}
          nothing={t("none")}
        />
        {funnel.unseen > 0 && (
          <p className="text-pretty text-muted-foreground text-xs leading-4.5">
            {t("unseen", { count: funnel.unseen })}
          </p>
        )}
        {opened > 0 && (
          <>
            <Stops stops={funnel.stoppedAt} />
            <Disclosure summary={t("details")}>
              <div className="grid gap-6 pt-2 md:grid-cols-2">
                <DaysPlot days={funnel.byDay} />
                <SystemsPlot systems={funnel.byOs} />
                <ModelsPlot models={funnel.byDevice} />
              </div>
            </Disclosure>
            <div className="flex flex-wrap gap-2">
              {peopleOf !== null && !("appId" in place) && <PeopleButton place={place} name={peopleOf} />}
              <ExportButton path="installs/get-install-funnel" input={place} total={opened} description={t("export")} />
            </div>
          </>
        )}
      </CardContent>
    </Card>
  );
}

/** Where visits stopped, with what was in the way. */
function Stops({ stops }: { stops: InstallFunnel["stoppedAt"] }) {
  const t = useTranslations("funnel");
  const reasons = useTranslations("install.reasons");
  const format = useFormatter();
  if (stops.length === 0) return null;
  return (
    <section className="flex min-w-0 flex-col">
      <h3 className="font-medium">{t("stoppedAt")}</h3>
      <ul className="flex flex-col divide-y divide-border">
        {stops.slice(0, MAX_ROWS).map(({ step, codes, count }) => (
          <li key={`${step} ${codes.join(" ")}`} className="flex items-start justify-between gap-4 py-2 leading-5">
            <span className="flex min-w-0 flex-col">
              <span>{t(`steps.${step}`)}</span>
              <span className="text-pretty text-muted-foreground text-xs leading-4.5">
                {codes.length === 0
                  ? t("noReason")
                  : codes.map((code) => obstacleTitle(code, reasons, t("otherSystem"))).join(" · ")}
              </span>
            </span>
            <span className="shrink-0 tabular-nums">{format.number(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Counts = Pick<InstallFunnel["byDay"][number], "opened" | "complete">;

/** What the plots of visits have in common. */
function useVisits(rows: readonly Counts[]) {
  const t = useTranslations("funnel");
  const format = useFormatter();
  return {
    format: (value: number) => format.number(value),
    series: [
      {
        key: "complete",
        label: t("steps.complete"),
        values: rows.map(({ complete }) => complete),
        tone: "first" as const,
      },
      {
        key: "rest",
        label: t("notComplete"),
        values: rows.map(({ opened, complete }) => Math.max(0, opened - complete)),
        tone: "rest" as const,
      },
    ],
  };
}

/** The last days until the last one with visits, without gaps. */
function daysOf(days: InstallFunnel["byDay"]): { day: string; opened: number; complete: number }[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const end = Date.parse(last.day);
  const span = Math.min(MAX_DAYS, Math.round((end - Date.parse(first.day)) / DAY_MS) + 1);
  const known = new Map(days.map((row) => [row.day, row]));
  return Array.from({ length: span }, (_, index) => {
    const day = new Date(end - (span - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, opened: known.get(day)?.opened ?? 0, complete: known.get(day)?.complete ?? 0 };
  });
}

function DaysPlot({ days }: { days: InstallFunnel["byDay"] }) {
  const t = useTranslations("funnel");
  const plots = useTranslations("plots");
  const format = useFormatter();
  const shown = daysOf(days);
  const visits = useVisits(shown);
  const dayName = (day: string, month: "short" | "long") =>
    format.dateTime(new Date(day), { day: "numeric", month, timeZone: "UTC" });
  return (
    <Plot
      {...visits}
      shape="columns"
      title={t("byDay")}
      description={t("byDayPeriod", { days: shown.length })}
      categories={shown.map(({ day }) => ({ key: day, label: dayName(day, "short"), longLabel: dayName(day, "long") }))}
      categoryLabel={plots("day")}
    />
  );
}

function SystemsPlot({ systems }: { systems: InstallFunnel["byOs"] }) {
  const t = useTranslations("funnel");
  const plots = useTranslations("plots");
  const releases = useTranslations("releases");
  const shown = systems.slice(0, MAX_ROWS);
  const visits = useVisits(shown);
  return (
    <Plot
      {...visits}
      shape="rows"
      title={t("bySystem")}
      categories={shown.map(({ os, version }) => ({
        key: `${os} ${version}`,
        label: openedDevice({ device: os, osVersion: version }, releases("computer")),
      }))}
      categoryLabel={plots("system")}
    />
  );
}

/** By model, if any is known. */
function ModelsPlot({ models }: { models: InstallFunnel["byDevice"] }) {
  const t = useTranslations("funnel");
  const shown = models.slice(0, MAX_ROWS);
  const visits = useVisits(shown);
  if (shown.every(({ device }) => device === null)) return null;
  return (
    <Plot
      {...visits}
      shape="rows"
      title={t("byModel")}
      categories={shown.map(({ device, name }) => ({ key: device ?? "", label: name ?? device ?? t("unknownModel") }))}
      categoryLabel={t("model")}
    />
  );
}
