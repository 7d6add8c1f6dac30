import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

const ROWS = ["one", "two", "three", "four", "five"];
const PLOTS = ["releases", "fetched"];

/** The placeholder of the dashboard while it loads. */
export function DashboardSkeleton() {
  const t = useTranslations("common");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-4">
      <div className="mb-2 flex flex-col gap-2">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-4 w-72 max-w-full" />
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex flex-col divide-y divide-border rounded-lg border border-border bg-card">
          {ROWS.map((row) => (
            <div key={row} className="flex items-center gap-3 px-4 py-3 lg:px-5">
              <Skeleton className="size-9 shrink-0 rounded-[22%]" />
              <div className="flex flex-1 flex-col gap-2">
                <Skeleton className="h-4 w-1/2" />
                <Skeleton className="h-3 w-2/3" />
              </div>
            </div>
          ))}
        </div>
        <div className="flex flex-col gap-6 rounded-lg border border-border bg-card p-4 lg:px-5">
          {PLOTS.map((plot) => (
            <div key={plot} className="flex flex-col gap-3">
              <Skeleton className="h-4 w-1/2" />
              <Skeleton className="h-32 w-full" />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
