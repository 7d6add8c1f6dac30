"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import { SCOPES, type Scope, withImplied } from "@/lib/permissions/scopes";

const SCOPES_BY_THING = Map.groupBy(SCOPES, (scope) => scope.slice(0, scope.indexOf(":")));

export type ScopePickerProps = {
  /** The chosen scopes, without what they imply. */
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  /** Says under each scope what it opens. */
  described?: boolean;
};

/**
 * Chooses scopes. Writing means reading: what a chosen scope brings along is ticked, says that it is included, and
 * cannot be taken out by itself.
 */
export function ScopePicker({ value, onChange, described = false }: ScopePickerProps) {
  const label = useTranslations("scopes");
  const description = useTranslations("scopeDescriptions");
  const t = useTranslations("permissions");
  const id = useId();
  const held = withImplied(value);
  return (
    <div className="flex flex-col gap-2.5">
      {[...SCOPES_BY_THING].map(([thing, scopes]) => (
        // What belongs together begins a line of its own.
        <div key={thing} className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
          {scopes.map((scope) => {
            const chosen = value.includes(scope);
            const implied = !chosen && held.includes(scope);
            return (
              <div key={scope} className="flex items-start gap-2">
                <Checkbox
                  id={`${id}-${scope}`}
                  className="mt-0.5"
                  checked={chosen || implied}
                  disabled={implied}
                  aria-describedby={described ? `${id}-${scope}-description` : undefined}
                  onCheckedChange={(checked) =>
                    onChange(SCOPES.filter((other) => (other === scope ? checked === true : value.includes(other))))
                  }
                />
                <div className="flex min-w-0 flex-col">
                  <Label htmlFor={`${id}-${scope}`} className="font-normal">
                    {label(scope)}
                    {implied && <span className="text-muted-foreground text-xs">({t("implied")})</span>}
                  </Label>
                  {described && (
                    <p
                      id={`${id}-${scope}-description`}
                      className="text-pretty text-muted-foreground text-xs leading-4.5"
                    >
                      {description(scope)}
                    </p>
                  )}
                </div>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
