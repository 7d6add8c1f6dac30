import { useLocale, useTranslations } from "next-intl";
import { Plot } from "@/components/common/plots/plot";
import type { Storage } from "@/lib/features/retention/schema";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { STORAGE_KINDS } from "./kinds";

/** How many applications the chart has; the table has the others. */
const SHOWN_APPS = 10;

/** What the largest applications take. The table below it says the numbers. */
export function StorageChart({ apps }: Pick<Storage, "apps">) {
  const t = useTranslations("storage");
  const locale = useLocale();
  const shown = apps.slice(0, SHOWN_APPS);
  const kinds = STORAGE_KINDS.filter(({ kind }) => shown.some(({ bytes }) => bytes[kind] > 0));
  return (
    <Plot
      shape="rows"
      title={t("byApp")}
      categories={shown.map(({ app }) => ({ key: app.id, label: app.name }))}
      categoryLabel={t("app")}
      series={kinds.map(({ kind, tone }) => ({
        key: kind,
        label: t(`kinds.${kind}`),
        values: shown.map(({ bytes }) => bytes[kind]),
        tone,
      }))}
      format={(value) => formatBytes(value, locale)}
      hasTable
    />
  );
}
