"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { ScopePicker } from "@/components/common/scope-picker";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { defaultScopes } from "@/lib/features/api-tokens/rules";
import type { Scope } from "@/lib/permissions/scopes";

export type ScopesFieldProps = {
  /** The chosen scopes; undefined for the default scopes of the identifiers. */
  value: readonly Scope[] | undefined;
  onChange: (scopes: Scope[] | undefined) => void;
  /** The token's identifiers, which determine the default scopes. */
  identifiers: readonly string[];
  error?: string;
};

/** What a token may do: the default scopes of its identifiers, or chosen ones. */
export function ScopesField({ value, onChange, identifiers, error }: ScopesFieldProps) {
  const t = useTranslations("apiTokens");
  const label = useTranslations("scopes");
  const id = useId();
  const defaults = defaultScopes(identifiers);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5" aria-describedby={`${id}-error`}>
      <legend className="mb-2 font-medium leading-5">{t("scopes")}</legend>
      <RadioGroup
        aria-label={t("scopes")}
        value={value ? "chosen" : "usual"}
        onValueChange={(choice) => onChange(choice === "chosen" ? defaults : undefined)}
      >
        <div className="flex items-start gap-2.5">
          <RadioGroupItem id={`${id}-usual`} value="usual" className="mt-0.5" />
          <div className="flex flex-col gap-0.5">
            <Label htmlFor={`${id}-usual`}>{t("usualScopes")}</Label>
            <p className="text-pretty text-muted-foreground text-xs leading-4.5">
              {defaults.map((scope) => label(scope)).join(" · ")}
            </p>
          </div>
        </div>
        <div className="flex items-center gap-2.5">
          <RadioGroupItem id={`${id}-chosen`} value="chosen" />
          <Label htmlFor={`${id}-chosen`}>{t("chosenScopes")}</Label>
        </div>
      </RadioGroup>
      {value && (
        <div className="ml-7">
          <ScopePicker value={value} onChange={onChange} />
        </div>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
