import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";

/** The placeholder of a page with a head and cards while it loads. */
export function EnvironmentsSkeleton({ cards, columns }: { cards: number; columns: 2 | 3 }) {
  const t = useTranslations("common");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-5">
      <div className="flex items-center gap-3.5">
        <Skeleton className="size-12 shrink-0 rounded-xl" />
        <div className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-6 w-48" />
          <Skeleton className="h-4 w-72 max-w-full" />
        </div>
      </div>
      <div className={cn("grid gap-4", columns === 2 ? "lg:grid-cols-2" : "md:grid-cols-2 xl:grid-cols-3")}>
        {Array.from({ length: cards }, (_, card) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards are identical and never move
          <div key={card} className="flex flex-col gap-4 rounded-lg border border-border bg-card p-5">
            <Skeleton className="h-5 w-32" />
            <Skeleton className="h-9 w-full" />
            <Skeleton className="h-9 w-full" />
            <Skeleton className="h-8 w-28" />
          </div>
        ))}
      </div>
    </div>
  );
}
