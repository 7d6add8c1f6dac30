"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { AllOrSomeField } from "@/components/common/form/all-or-some-field";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";

export type EnvironmentsFieldProps = {
  environments: readonly { id: string; name: string }[];
  /** Null for all environments. */
  value: readonly string[] | null;
  onChange: (environmentIds: string[] | null) => void;
  error?: string | undefined;
};

/** Chooses the environments of whose releases a group of testers is told. */
export function EnvironmentsField({ environments, value, onChange, error }: EnvironmentsFieldProps) {
  const t = useTranslations("testers");
  const id = useId();
  const chosen = value ?? [];
  return (
    <fieldset className="flex min-w-0 flex-col" aria-describedby={`${id}-error`}>
      <legend className="mb-1.5 font-medium">{t("environments")}</legend>
      <AllOrSomeField
        stacked
        label={t("environments")}
        value={value === null ? "all" : "some"}
        onChange={(reach) => onChange(reach === "all" ? null : [])}
        texts={{ all: t("allEnvironmentsOption"), some: t("someEnvironmentsOption") }}
      />
      {value !== null &&
        environments.map((environment) => (
          <div key={environment.id} className="flex min-h-10 items-center gap-2.5 pl-6.5 lg:min-h-8">
            <Checkbox
              id={`${id}-${environment.id}`}
              checked={chosen.includes(environment.id)}
              onCheckedChange={(checked) =>
                onChange(
                  checked === true ? [...chosen, environment.id] : chosen.filter((other) => other !== environment.id),
                )
              }
            />
            <Label htmlFor={`${id}-${environment.id}`} className="min-w-0 break-words font-normal">
              {environment.name}
            </Label>
          </div>
        ))}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
