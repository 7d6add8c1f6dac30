"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ScopeChips } from "@/components/common/permissions/scope-chips";
import { ScopePicker } from "@/components/common/permissions/scope-picker";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import type { Scope } from "@/lib/permissions/scopes";
import { TELLS_GROUPS } from "./token-purpose";

export type ScopesFieldProps = {
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error?: string;
  /** Whether the token is for a CI job, which may tell groups of testers. */
  offersGroups: boolean;
};

/** What a token may do, as chips. A button shows the checkboxes. */
export function ScopesField({ value, onChange, error, offersGroups }: ScopesFieldProps) {
  const t = useTranslations("apiTokens");
  const id = useId();
  const [changing, setChanging] = useState(false);
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2.5"
      aria-describedby={`${id}-error`}
      aria-invalid={error ? true : undefined}
    >
      <legend className="mb-2 font-medium leading-5">{t("scopes")}</legend>
      <ScopeChips scopes={value} />
      {offersGroups && (
        <div className="flex items-start gap-2.5">
          <Checkbox
            id={`${id}-groups`}
            className="mt-0.5"
            aria-describedby={`${id}-groups-hint`}
            checked={value.includes(TELLS_GROUPS)}
            onCheckedChange={(checked) =>
              onChange(checked === true ? [...value, TELLS_GROUPS] : value.filter((scope) => scope !== TELLS_GROUPS))
            }
          />
          <div className="flex flex-col gap-0.5">
            <Label htmlFor={`${id}-groups`}>{t("tellGroups")}</Label>
            <p id={`${id}-groups-hint`} className="text-pretty text-muted-foreground text-xs leading-4.5">
              {t("tellGroupsHint")}
            </p>
          </div>
        </div>
      )}
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 w-fit text-muted-foreground"
        aria-expanded={changing}
        aria-controls={`${id}-picker`}
        onClick={() => setChanging(!changing)}
      >
        <ChevronDown aria-hidden className={cn("transition-transform", changing && "rotate-180")} />
        {t("changeScopes")}
      </Button>
      <div id={`${id}-picker`} hidden={!changing}>
        {changing && <ScopePicker value={value} onChange={onChange} />}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
