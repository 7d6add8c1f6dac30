"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { OnDemandProps } from "../on-demand";
import type { DateFilterProps } from "./date-filter";

/** The two date fields, initially open. Use `DateFilter`, which loads this component on demand. */
export function DateRangePopover({ trigger, label, from, to, onChange }: DateFilterProps & OnDemandProps) {
  const t = useTranslations("common.table");
  const id = useId();
  const [open, setOpen] = useState(true);

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const [first, last] = [String(values.get("from")) || null, String(values.get("to")) || null];
    setOpen(false);
    // Days that were entered the other way round mean the same period.
    onChange(first && last && first > last ? { from: last, to: first } : { from: first, to: last });
  };

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent aria-label={label}>
        <form onSubmit={apply} className="flex flex-col gap-3">
          <div className="flex flex-col gap-1.5">
            <Label htmlFor={`${id}-from`}>{t("from")}</Label>
            <Input id={`${id}-from`} type="date" name="from" defaultValue={from ?? ""} />
          </div>
          <div className="flex flex-col gap-1.5">
            <Label htmlFor={`${id}-to`}>{t("to")}</Label>
            <Input id={`${id}-to`} type="date" name="to" defaultValue={to ?? ""} />
          </div>
          <Button type="submit">{t("apply")}</Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}
