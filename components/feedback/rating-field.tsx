"use client";

import { Star } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { cn } from "@/components/ui/cn";
import { MAX_RATING } from "@/lib/features/feedback/schema";

export type RatingFieldProps = {
  /** Null for no rating. */
  value: number | null;
  onChange: (rating: number | null) => void;
};

/** A field for a rating from 1 to 5. Choosing the same one again takes it back. */
export function RatingField({ value, onChange }: RatingFieldProps) {
  const t = useTranslations("feedback");
  const common = useTranslations("common");
  const name = useId();
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="mb-1.5 flex items-center gap-1.5 font-medium leading-5">
        {t("rating")}
        <span className="font-normal text-muted-foreground text-xs">{common("optional")}</span>
      </legend>
      <div className="-mx-2 flex">
        {Array.from({ length: MAX_RATING }, (_, index) => index + 1).map((rating) => (
          <label
            key={rating}
            className="relative flex size-11 cursor-pointer items-center justify-center rounded-md hover:bg-muted has-focus-visible:outline-2 has-focus-visible:outline-ring lg:size-9"
          >
            <input
              type="radio"
              name={name}
              value={rating}
              checked={value === rating}
              aria-label={t("ratingOf", { rating })}
              onChange={() => onChange(rating)}
              onClick={() => value === rating && onChange(null)}
              className="sr-only"
            />
            <Star
              aria-hidden
              className={cn(
                "size-6 lg:size-5",
                value !== null && rating <= value ? "fill-current text-warning" : "text-muted-foreground",
              )}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
