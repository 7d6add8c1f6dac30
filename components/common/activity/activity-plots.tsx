import { useFormatter, useTranslations } from "next-intl";
import { Plot } from "@/components/common/plots/plot";
import { openedDevice } from "@/components/common/releases/opened-device";
import { sumOf } from "@/lib/features/dashboard/rules";
import type { Activity } from "@/lib/features/dashboard/schema";

/** The share of the latest build in the installs of each day, and the numbers of installs and downloads. */
export function AdoptionPlots({ days }: Pick<Activity, "days">) {
  const t = useTranslations("plots");
  const format = useFormatter();
  const axis = useDays(days);
  const installs = sumOf(days, "installs");
  const latest = sumOf(days, "latestInstalls");
  return (
    <>
      <Plot
        {...axis}
        title={t("adoption")}
        headline={installs > 0 && format.number(latest / installs, { style: "percent" })}
        series={[
          { key: "latest", label: t("latest"), values: days.map((day) => day.latestInstalls), tone: "first" },
          {
            key: "older",
            label: t("older"),
            values: days.map((day) => day.installs - day.latestInstalls),
            tone: "rest",
          },
        ]}
      />
      <Plot
        {...axis}
        title={t("fetched")}
        headline={format.number(installs + sumOf(days, "downloads"))}
        series={[
          { key: "installs", label: t("installs"), values: days.map((day) => day.installs), tone: "first" },
          { key: "downloads", label: t("downloads"), values: days.map((day) => day.downloads), tone: "second" },
        ]}
      />
    </>
  );
}

/** How many releases were published, by day. */
export function ReleasesPlot({ days }: Pick<Activity, "days">) {
  const t = useTranslations("plots");
  const format = useFormatter();
  return (
    <Plot
      {...useDays(days)}
      title={t("releases")}
      headline={format.number(sumOf(days, "releases"))}
      series={[{ key: "releases", label: t("releases"), values: days.map((day) => day.releases), tone: "first" }]}
    />
  );
}

/** On which systems releases were opened. */
export function SystemsPlot({ systems, otherOpenings, days }: Activity) {
  const t = useTranslations("plots");
  const releases = useTranslations("releases");
  const format = useFormatter();
  const named = systems.map(({ device, version, openings }) => {
    const label = openedDevice({ device, osVersion: version }, releases("computer"));
    return { key: `${device} ${version}`, label, openings };
  });
  const items =
    otherOpenings > 0 ? [...named, { key: "other", label: t("otherSystems"), openings: otherOpenings }] : named;
  return (
    <Plot
      shape="rows"
      title={t("systems")}
      description={t("systemsPeriod", { days: days.length })}
      categories={items}
      categoryLabel={t("system")}
      series={[{ key: "openings", label: t("openings"), values: items.map(({ openings }) => openings), tone: "first" }]}
      format={(value) => format.number(value)}
      nothing={t("noOpenings")}
    />
  );
}

/** The fewest days that are drawn. */
const FEWEST_DAYS = 7;

/** The first day that is drawn: that of the first activity, so that a plot with few days is not mostly empty. */
function firstDrawn(days: Activity["days"]): number {
  const first = days.findIndex(({ installs, downloads, releases }) => installs + downloads + releases > 0);
  return Math.max(0, Math.min(first, days.length - FEWEST_DAYS));
}

/** What the plots of days have in common. */
function useDays(days: Activity["days"]) {
  const t = useTranslations("plots");
  const format = useFormatter();
  const dayName = (day: string, month: "short" | "long") =>
    format.dateTime(new Date(day), { day: "numeric", month, timeZone: "UTC" });
  return {
    shape: "columns",
    drawnFrom: firstDrawn(days),
    description: t("period", { days: days.length }),
    categories: days.map(({ day }) => ({ key: day, label: dayName(day, "short"), longLabel: dayName(day, "long") })),
    categoryLabel: t("day"),
    format: (value: number) => format.number(value),
  } as const;
}
