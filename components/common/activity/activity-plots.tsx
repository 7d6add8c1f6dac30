import { useTranslations } from "next-intl";
import { DayPlot } from "@/components/common/plots/day-plot";
import type { ActivityDay } from "@/lib/features/dashboard/schema";

/** Releases, and installs with downloads, by day. */
export function ActivityPlots({ days }: { days: readonly ActivityDay[] }) {
  const t = useTranslations("plots");
  const names = days.map(({ day }) => day);
  return (
    <>
      <DayPlot
        title={t("releases")}
        days={names}
        series={[{ label: t("releases"), values: days.map(({ releases }) => releases), tone: "strong" }]}
      />
      <DayPlot
        title={t("fetched")}
        days={names}
        series={[
          { label: t("installs"), values: days.map(({ installs }) => installs), tone: "strong" },
          { label: t("downloads"), values: days.map(({ downloads }) => downloads), tone: "soft" },
        ]}
      />
    </>
  );
}
