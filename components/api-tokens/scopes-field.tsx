"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ScopeChips } from "@/components/common/permissions/scope-chips";
import { ScopePicker } from "@/components/common/permissions/scope-picker";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { FieldError } from "@/components/ui/field";
import type { Scope } from "@/lib/permissions/scopes";

export type ScopesFieldProps = {
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error?: string;
};

/** What a token may do, as chips. A button shows the checkboxes. */
export function ScopesField({ value, onChange, error }: ScopesFieldProps) {
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
