"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useId } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import type { OnDemandProps } from "../on-demand";
import { FilterPopover } from "./filter-popover";
import type { TextFilterPopoverProps } from "./text-filter";

/** The field of the value. Use `TextFilter`, which loads this component on demand. */
export function TextFilterPopover({ hint, value, ...popover }: TextFilterPopoverProps & OnDemandProps) {
  const t = useTranslations("common.table");
  const id = useId();
  const textOf = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    return String(new FormData(event.currentTarget).get("value")).trim() || null;
  };
  return (
    <FilterPopover {...popover}>
      {(choose) => (
        <form onSubmit={(event) => choose(textOf(event))} className="flex flex-col gap-3">
          <div className="flex flex-col gap-1.5">
            <Label htmlFor={id}>{popover.label}</Label>
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
      )}
    </FilterPopover>
  );
}
