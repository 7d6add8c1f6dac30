import { Star } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import { MAX_RATING } from "@/lib/features/feedback/schema";

/** A rating as stars. */
export function Rating({ rating }: { rating: number }) {
  const t = useTranslations("feedback");
  return (
    <span role="img" aria-label={t("ratingOf", { rating })} className="inline-flex gap-0.5">
      {Array.from({ length: MAX_RATING }, (_, index) => index + 1).map((value) => (
        <Star
          key={value}
          aria-hidden
          className={cn("size-3.5", value <= rating ? "fill-current text-warning" : "text-muted-foreground/40")}
        />
      ))}
    </span>
  );
}
