"use client";

import { useTranslations } from "next-intl";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { Alert } from "@/components/ui/alert";
import { Input } from "@/components/ui/input";
import type { PublishingPlaces } from "@/lib/features/releases/schema";
import { MAX_PLACE_NAME, NEW, type ReleaseValues, type releaseValuesSchema } from "./release-values";

export type PlaceFieldsProps = {
  form: UseFormReturn<ReleaseValues, unknown, z.output<typeof releaseValuesSchema>>;
  places: PublishingPlaces;
  identifier: string;
  disabled: boolean;
};

/** The application and environment of a release; those that do not exist get a name. */
export function PlaceFields({ form, places, identifier, disabled }: PlaceFieldsProps) {
  const t = useTranslations("upload.place");
  const { control } = form;
  const { items } = places;
  const appId = form.watch("appId");
  const environmentId = form.watch("environmentId");
  const chosen = items.find(({ app }) => app.id === appId);

  const chooseApp = (id: string) => {
    const item = items.find(({ app }) => app.id === id);
    form.setValue("environmentId", item?.proposedEnvironmentId ?? NEW);
  };

  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
      {appId === NEW && <Alert tone="info">{t("isNew", { identifier })}</Alert>}
      <div className="grid gap-4 lg:grid-cols-2">
        {appId === NEW ? (
          <FormField control={control} name="appName" label={t("appName")}>
            {(field) => <Input {...field} autoComplete="off" maxLength={MAX_PLACE_NAME} />}
          </FormField>
        ) : (
          <SelectField
            control={control}
            name="appId"
            label={t("app")}
            options={items.map(({ app }) => ({ value: app.id, label: app.name }))}
            disabled={disabled}
            onChanged={chooseApp}
          />
        )}
        {chosen && chosen.environments.length > 0 && (
          <SelectField
            control={control}
            name="environmentId"
            label={t("environment")}
            options={[
              ...chosen.environments.map(({ id, name }) => ({ value: id, label: name })),
              ...(chosen.mayCreateEnvironment ? [{ value: NEW, label: t("newEnvironment") }] : []),
            ]}
            disabled={disabled}
          />
        )}
        {environmentId === NEW && (
          <FormField control={control} name="environmentName" label={t("environmentName")}>
            {(field) => <Input {...field} autoComplete="off" maxLength={MAX_PLACE_NAME} />}
          </FormField>
        )}
      </div>
    </fieldset>
  );
}
