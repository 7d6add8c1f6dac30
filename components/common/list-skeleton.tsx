import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

export type ListSkeletonProps = {
  /** Number of rows. */
  rows?: number;
  /** Adds the search field and filters above the list. */
  toolbar?: boolean;
  /** Adds a title, for a whole page. */
  header?: boolean;
};

const WIDTHS = ["w-2/5", "w-1/3", "w-1/2", "w-2/5", "w-1/4"];

/** The placeholder of a list while it loads, for `loading.tsx` and suspense. */
export function ListSkeleton({ rows = 8, toolbar = true, header = false }: ListSkeletonProps) {
  const t = useTranslations("common");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-4">
      {header && (
        <div className="mb-2 flex items-start justify-between gap-4">
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-6 w-48" />
            <Skeleton className="h-4 w-72 max-w-full" />
          </div>
          <Skeleton className="hidden h-8 w-32 lg:block" />
        </div>
      )}
      {toolbar && (
        <div className="flex gap-2">
          <Skeleton className="h-11 w-full lg:h-8 lg:w-72" />
          <Skeleton className="hidden h-8 w-28 lg:block" />
        </div>
      )}
      <div className="divide-y divide-border rounded-lg border border-border bg-card">
        <div className="hidden h-9 lg:block" />
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move
          <div key={row} className="flex h-16 items-center gap-4 px-4 lg:h-12">
            <Skeleton className="size-7 shrink-0" />
            <Skeleton className={`h-3.5 ${WIDTHS[row % WIDTHS.length]}`} />
            <Skeleton className="ml-auto hidden h-3.5 w-20 lg:block" />
            <Skeleton className="hidden h-3.5 w-24 lg:block" />
          </div>
        ))}
      </div>
    </div>
  );
}
