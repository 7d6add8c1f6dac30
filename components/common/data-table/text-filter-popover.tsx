"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { OnDemandProps } from "../on-demand";
import type { TextFilterPopoverProps } from "./text-filter";

/** The field of the value, initially open. Use `TextFilter`, which loads this component on demand. */
export function TextFilterPopover({ trigger, label, hint, value, onChange }: TextFilterPopoverProps & OnDemandProps) {
  const t = useTranslations("common.table");
  const id = useId();
  const [open, setOpen] = useState(true);

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("value")).trim();
    setOpen(false);
    onChange(text || null);
  };

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent aria-label={label}>
        <form onSubmit={apply} className="flex flex-col gap-3">
          <div className="flex flex-col gap-1.5">
            <Label htmlFor={id}>{label}</Label>
            <Input
              id={id}
              name="value"
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              defaultValue={value ?? ""}
              aria-describedby={`${id}-hint`}
              className="font-mono"
            />
            <p id={`${id}-hint`} className="text-muted-foreground text-xs">
              {hint}
            </p>
          </div>
          <Button type="submit">{t("apply")}</Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}
