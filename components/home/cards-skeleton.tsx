import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

const CARDS = ["one", "two", "three", "four", "five", "six"];

/** The placeholder of a page of cards while it loads. */
export function CardsSkeleton() {
  const t = useTranslations("common");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-4">
      <div className="mb-2 flex flex-col gap-2">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-4 w-72 max-w-full" />
      </div>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {CARDS.map((card) => (
          <div key={card} className="flex items-start gap-3.5 rounded-lg border border-border bg-card p-4">
            <Skeleton className="size-11 shrink-0 rounded-[22%]" />
            <div className="flex flex-1 flex-col gap-2 py-0.5">
              <Skeleton className="h-4 w-1/2" />
              <Skeleton className="h-3 w-2/3" />
              <Skeleton className="h-3 w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
