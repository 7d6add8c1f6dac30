"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { searchApps } from "@/components/common/apps/search-apps";
import { type AppEnvironments, useAppEnvironments } from "@/components/common/apps/use-app-environments";
import { AllOrSomeField } from "@/components/common/form/all-or-some-field";
import type { SearchOption } from "@/components/common/search-list";
import { SearchSelect } from "@/components/common/search-select";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";
import { MAX_APPS } from "@/lib/features/permissions/rules";
import { ChosenAppHeading } from "./chosen-app-heading";
import type { ChosenApp } from "./permission-form";

export type AppsPickerProps = {
  value: readonly ChosenApp[];
  onChange: (apps: ChosenApp[]) => void;
  /** The error of the selection as a whole. */
  error?: string;
  /** The error of the environments of one app, by the app's index in the list. */
  errorOf: (index: number) => string | undefined;
};

/** Selects applications and, for each, all or some of its environments. */
export function AppsPicker({ value, onChange, error, errorOf }: AppsPickerProps) {
  const t = useTranslations("permissions");
  const id = useId();
  const { environmentsOf, retry } = useAppEnvironments(value.map((app) => app.id));

  const add = ({ value: appId, label: name }: SearchOption) => {
    if (value.some((app) => app.id === appId)) return;
    onChange([...value, { id: appId, name, reach: "all", environments: [] }]);
  };
  const change = (app: ChosenApp) => onChange(value.map((other) => (other.id === app.id ? app : other)));

  return (
    <div className="flex flex-col gap-2.5">
      {value.map((app, index) => (
        <AppChoice
          key={app.id}
          app={app}
          environments={environmentsOf(app.id)}
          error={errorOf(index)}
          onChange={change}
          onRemove={() => onChange(value.filter((other) => other.id !== app.id))}
          onRetry={retry}
        />
      ))}
      {value.length < MAX_APPS && (
        <SearchSelect
          id={`${id}-add`}
          aria-label={t("addApp")}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error`}
          label={t("addApp")}
          option={null}
          placeholder={t("addApp")}
          icon={<Plus aria-hidden className="size-4 shrink-0" />}
          onChange={add}
          search={searchApps}
        />
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

type AppChoiceProps = {
  app: ChosenApp;
  environments: AppEnvironments;
  error?: string;
  onChange: (app: ChosenApp) => void;
  onRemove: () => void;
  onRetry: () => void;
};

function AppChoice({ app, environments, error, onChange, onRemove, onRetry }: AppChoiceProps) {
  const t = useTranslations("permissions");
  const common = useTranslations("common");
  const id = useId();
  const chosen = new Set(app.environments.map((environment) => environment.id));
  return (
    <fieldset
      aria-describedby={`${id}-error`}
      className="flex min-w-0 flex-col gap-2.5 rounded-lg border border-border px-3 pt-2 pb-3"
    >
      <legend className="sr-only">{app.name}</legend>
      <ChosenAppHeading name={app.name} onRemove={onRemove} />
      <AllOrSomeField
        label={t("environments")}
        value={app.reach}
        onChange={(reach) => onChange({ ...app, reach })}
        texts={{ all: t("allEnvironments"), some: t("someEnvironments") }}
      />
      {app.reach === "some" && environments === "loading" && <Spinner className="text-muted-foreground" />}
      {app.reach === "some" && environments === "failed" && (
        <Button variant="secondary" size="sm" className="w-fit" onClick={onRetry}>
          {common("retry")}
        </Button>
      )}
      {app.reach === "some" && typeof environments === "object" && (
        <div className="flex flex-wrap gap-x-5 gap-y-2.5">
          {environments.length === 0 && <p className="text-muted-foreground">{t("noEnvironments")}</p>}
          {environments.map((environment) => (
            <div key={environment.id} className="flex min-w-0 items-center gap-2">
              <Checkbox
                id={`${id}-${environment.id}`}
                checked={chosen.has(environment.id)}
                onCheckedChange={(checked) =>
                  onChange({
                    ...app,
                    environments: environments
                      .filter((other) => (other.id === environment.id ? checked === true : chosen.has(other.id)))
                      .map(({ id: environmentId, name }) => ({ id: environmentId, name })),
                  })
                }
              />
              <Label htmlFor={`${id}-${environment.id}`} className="min-w-0 break-words font-normal">
                {environment.name}
              </Label>
            </div>
          ))}
        </div>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
