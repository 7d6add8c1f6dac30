"use client";

import { useTranslations } from "next-intl";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { searchApps } from "@/components/common/apps/search-apps";
import type { AppEnvironments } from "@/components/common/apps/use-app-environments";
import { SearchField } from "@/components/common/form/search-field";
import { SelectField, type SelectFieldProps } from "@/components/common/form/select-field";
import type { SearchOption } from "@/components/common/search-list";
import { Button } from "@/components/ui/button";

export type AppPlaceFieldsProps<Input extends FieldValues, Output> = {
  /** Of a form with the values `appId` and `environmentId`. */
  control: Control<Input, unknown, Output>;
  appLabel: string;
  environmentLabel: string;
  app: SearchOption | null;
  /** Called after another application was selected. */
  onChooseApp: (app: SearchOption) => void;
  /** The environments of the application. */
  environments: AppEnvironments;
  /** Loads them again after a failure. */
  onRetry: () => void;
  /** The environment that the form starts with, shown while they are loaded. */
  initialEnvironment?: { id: string; name: string };
  /** An option before them, such as all environments. */
  firstOption?: SelectFieldProps<Input, FieldPath<Input>, Output>["options"][number];
  /** Shown while no environment is selected. */
  placeholder?: string;
};

/** Two fields that select an application and one of its environments. */
export function AppPlaceFields<Input extends FieldValues, Output>({
  control,
  appLabel,
  environmentLabel,
  app,
  onChooseApp,
  environments,
  onRetry,
  initialEnvironment,
  firstOption,
  placeholder,
}: AppPlaceFieldsProps<Input, Output>) {
  const common = useTranslations("common");
  const known = typeof environments === "object" ? environments : initialEnvironment ? [initialEnvironment] : [];
  const options = known.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SearchField
        control={control}
        name={"appId" as FieldPath<Input>}
        label={appLabel}
        option={app}
        search={searchApps}
        onChoose={onChooseApp}
      />
      <SelectField
        control={control}
        name={"environmentId" as FieldPath<Input>}
        label={environmentLabel}
        disabled={app === null || typeof environments !== "object" || (known.length === 0 && !firstOption)}
        options={firstOption ? [firstOption, ...options] : options}
        placeholder={placeholder}
        hint={
          environments === "failed" && (
            <Button variant="secondary" size="sm" onClick={onRetry}>
              {common("retry")}
            </Button>
          )
        }
      />
    </div>
  );
}
