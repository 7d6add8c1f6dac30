"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { OnDemandProps } from "../on-demand";
import { defaultView, isSameView } from "./table-view";
import type { ViewPopoverProps } from "./view-button";

/** The choice of columns and density, initially open. Use `ViewButton`, which loads this component on demand. */
export function ViewPopover({ trigger, columns, view, onChange }: ViewPopoverProps & OnDemandProps) {
  const t = useTranslations("common.table.view");
  const id = useId();
  const [open, setOpen] = useState(true);
  const { hidden, dense } = view;
  const byDefault = defaultView(columns);

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" aria-label={t("label")} className="flex w-60 flex-col gap-3">
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium text-muted-foreground text-xs">{t("columns")}</legend>
          {columns.map(({ key, header }) => (
            <div key={key} className="flex items-center gap-2.5">
              <Checkbox
                id={`${id}-${key}`}
                checked={!hidden.includes(key)}
                onCheckedChange={(checked) =>
                  onChange({ ...view, hidden: checked ? hidden.filter((other) => other !== key) : [...hidden, key] })
                }
              />
              <Label htmlFor={`${id}-${key}`} className="font-normal">
                {header}
              </Label>
            </div>
          ))}
        </fieldset>
        <div className="flex items-center gap-2.5 border-border border-t pt-3">
          <Checkbox
            id={`${id}-dense`}
            checked={dense}
            onCheckedChange={(checked) => onChange({ ...view, dense: checked === true })}
          />
          <Label htmlFor={`${id}-dense`} className="font-normal">
            {t("dense")}
          </Label>
        </div>
        <Button variant="ghost" size="sm" disabled={isSameView(view, byDefault)} onClick={() => onChange(byDefault)}>
          {t("reset")}
        </Button>
      </PopoverContent>
    </Popover>
  );
}
