import { ListSkeleton } from "@/components/common/list-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

/** The placeholder of an environment's page while it loads: its head, its tabs and a list. */
export function EnvironmentSkeleton() {
  return (
    <>
      <div aria-hidden className="flex items-center gap-3.5">
        <Skeleton className="size-10 shrink-0 rounded-[22%]" />
        <Skeleton className="h-6 w-56 max-w-full" />
        <Skeleton className="ml-auto hidden h-8 w-32 lg:block" />
      </div>
      <div aria-hidden className="flex h-11 items-center gap-6 border-border border-b lg:h-9">
        {["w-20", "w-28", "w-20", "w-20"].map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never move
          <Skeleton key={index} className={`h-3.5 ${width}`} />
        ))}
      </div>
      <ListSkeleton />
    </>
  );
}
