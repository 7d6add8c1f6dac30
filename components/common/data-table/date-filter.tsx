"use client";

import { CalendarDays } from "lucide-react";
import { useFormatter } from "next-intl";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { lazyOverlay, OnDemand } from "../on-demand";

/** Calendar dates, `YYYY-MM-DD`. Both ends are inclusive; `null` leaves an end open. */
type DateRange = { from: string | null; to: string | null };

export type DateFilterProps = DateRange & {
  label: string;
  onChange: (range: DateRange) => void;
};

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

const dateRangePopover = lazyOverlay<DateFilterProps>(() =>
  import("./date-range-popover").then((module) => module.DateRangePopover),
);

/** Filters a list by a range of days, which can be open at either end. */
export function DateFilter(props: DateFilterProps) {
  const { label, from, to } = props;
  const format = useFormatter();

  const day = (date: string | null) =>
    date && CALENDAR_DATE.test(date) && !Number.isNaN(Date.parse(date))
      ? format.dateTime(new Date(date), { dateStyle: "medium", timeZone: "UTC" })
      : "…";

  const chosen = from !== null || to !== null;
  return (
    <OnDemand
      overlay={dateRangePopover}
      popup="dialog"
      overlayProps={props}
      trigger={
        <Button variant="secondary" className={cn(!chosen && "border-dashed")}>
          <CalendarDays aria-hidden className="text-muted-foreground" />
          <span className={cn(chosen && "text-muted-foreground")}>{label}</span>
          {chosen && (
            <span className="tabular-nums">
              {day(from)} – {day(to)}
            </span>
          )}
        </Button>
      }
    />
  );
}
