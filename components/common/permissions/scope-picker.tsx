"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import { SCOPES, type Scope, withImplied } from "@/lib/permissions/scopes";

export type ScopePickerProps = {
  /** The chosen scopes, without those that they include. */
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  /** The scopes that can be chosen; by default, all. */
  choices?: readonly Scope[];
};

/**
 * Selects scopes, each with its description. A scope that is included in a selected one is checked, is marked as included, and cannot be cleared.
 */
export function ScopePicker({ value, onChange, choices = SCOPES }: ScopePickerProps) {
  const label = useTranslations("scopes");
  const description = useTranslations("scopeDescriptions");
  const t = useTranslations("permissions");
  const id = useId();
  const effective = withImplied(value);
  const byResource = Map.groupBy(choices, (scope) => scope.slice(0, scope.indexOf(":")));
  return (
    <div className="flex flex-col gap-2.5">
      {[...byResource].map(([resource, scopes]) => (
        // Each group of scopes starts a new line.
        <div key={resource} className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
          {scopes.map((scope) => {
            const chosen = value.includes(scope);
            const implied = !chosen && effective.includes(scope);
            return (
              <div key={scope} className="flex items-start gap-2">
                <Checkbox
                  id={`${id}-${scope}`}
                  className="mt-0.5"
                  checked={chosen || implied}
                  disabled={implied}
                  aria-describedby={`${id}-${scope}-description`}
                  onCheckedChange={(checked) =>
                    onChange(SCOPES.filter((other) => (other === scope ? checked === true : value.includes(other))))
                  }
                />
                <div className="flex min-w-0 flex-col">
                  <Label htmlFor={`${id}-${scope}`} className="font-normal">
                    {label(scope)}
                    {implied && <span className="text-muted-foreground text-xs">({t("implied")})</span>}
                  </Label>
                  <p
                    id={`${id}-${scope}-description`}
                    className="text-pretty text-muted-foreground text-xs leading-4.5"
                  >
                    {description(scope)}
                  </p>
                </div>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
