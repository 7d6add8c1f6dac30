"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type RefObject, useState } from "react";
import { Controller, useWatch } from "react-hook-form";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { SearchField } from "@/components/common/form/search-field";
import { SelectField } from "@/components/common/form/select-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { searchApps } from "@/components/common/search-apps";
import type { SearchOption } from "@/components/common/search-list";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import { createApiTokenInput } from "@/lib/features/api-tokens/schema";
import { SERVER_IDENTIFIER } from "@/lib/permissions/actor";
import { IdentifiersEditor } from "./identifiers-editor";
import { NewTokenDialog, type NewTokenDialogProps } from "./new-token-dialog";
import { ScopesField } from "./scopes-field";
import { dayAfter, endOfLocalDay, localDay } from "./token-end";
import type { TokenPlace, TokenPurpose } from "./token-place";

/** The operation's input, with a day instead of a time for the expiry. */
const formSchema = createApiTokenInput.extend({
  validUntil: z.string().min(1).transform(endOfLocalDay).pipe(createApiTokenInput.shape.validUntil),
});

const PRESET_DAYS = [30, 90, 365] as const;
const ENVIRONMENTS = 100;

export type CreateApiTokenDialogProps = DialogProps & {
  /** Receives the focus when the dialog closes. */
  opener: RefObject<HTMLButtonElement | null>;
  /** The environment and its application to start with. */
  place?: TokenPlace;
  /** Who uses the token; the identifiers start with those of its users. */
  purpose?: TokenPurpose;
};

const toChoice = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

const toOption = ({ id, name, identifier }: TokenPlace["app"]): SearchOption => ({
  value: id,
  label: name,
  description: identifier,
});

/** Creates an API token for an environment of an application, and shows it once. */
export function CreateApiTokenDialog({ open, onOpenChange, opener, place, purpose }: CreateApiTokenDialogProps) {
  const t = useTranslations("apiTokens");
  const router = useRouter();
  const notified = useNotifiedCall();
  const create = useOperation("config/create-api-token");
  const [app, setApp] = useState<SearchOption | null>(place ? toOption(place.app) : null);
  const [environments, setEnvironments] = useState(place ? [toChoice(place.environment)] : []);
  const [created, setCreated] = useState<NewTokenDialogProps["created"]>(null);
  const form = useZodForm(formSchema, {
    defaultValues: {
      name: "",
      appId: place?.app.id,
      environmentId: place?.environment.id,
      identifiers: purpose === "server" ? [SERVER_IDENTIFIER] : [],
      validUntil: dayAfter(new Date(), 365),
      scopes: undefined,
    },
  });
  const { control } = form;
  const identifiers = useWatch({ control, name: "identifiers" });

  const chooseApp = async (option: SearchOption) => {
    setApp(option);
    form.resetField("environmentId");
    setEnvironments([]);
    const list = await notified(() => query("apps/get-environment-apps", { appId: option.value, limit: ENVIRONMENTS }));
    if (!list) return;
    setEnvironments(list.items.map(toChoice));
    const onlyEnvironment = list.items.length === 1 ? list.items[0] : undefined;
    if (onlyEnvironment) form.setValue("environmentId", onlyEnvironment.id, { shouldDirty: true });
  };

  const submit = async (values: z.output<typeof formSchema>) => {
    const result = await create.run(values);
    if (result.ok) setCreated({ token: result.data, appIdentifier: app?.description ?? "" });
    return result;
  };

  // The list is refreshed only when the dialog closes: while the list is empty, this dialog is part of its empty state.
  const close = () => {
    setCreated(null);
    router.refresh();
  };

  return (
    <>
      <FormDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t("createTitle")}
        description={t("createDescription")}
        form={form}
        onSubmit={submit}
        submitLabel={t("create")}
      >
        <FormField control={control} name="name" label={t("name")} hint={t("nameHint")}>
          {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
        </FormField>
        <div className="grid gap-4 sm:grid-cols-2">
          <SearchField
            control={control}
            name="appId"
            label={t("app")}
            option={app}
            search={searchApps}
            onChoose={chooseApp}
          />
          <SelectField
            control={control}
            name="environmentId"
            label={t("environment")}
            options={environments}
            disabled={environments.length === 0}
            placeholder={app ? undefined : t("chooseAppFirst")}
          />
        </div>
        <FormField control={control} name="identifiers" label={t("identifiers")} hint={t("identifiersHint")}>
          {({ value, onChange, name: _name, onBlur: _onBlur, ref: _ref, ...field }) => (
            <IdentifiersEditor {...field} value={value} onChange={onChange} />
          )}
        </FormField>
        <FormField control={control} name="validUntil" label={t("validUntil")} hint={t("validUntilHint")}>
          {({ onChange, ...field }) => (
            <div className="flex flex-wrap items-center gap-2">
              <div className="min-w-40 flex-1 max-lg:basis-full">
                <Input {...field} onChange={onChange} type="date" min={localDay(new Date())} />
              </div>
              {PRESET_DAYS.map((days) => (
                <Button
                  key={days}
                  variant="secondary"
                  className="max-lg:flex-1"
                  onClick={() => onChange(dayAfter(new Date(), days))}
                >
                  {t("days", { days })}
                </Button>
              ))}
            </div>
          )}
        </FormField>
        <Controller
          control={control}
          name="scopes"
          render={({ field, fieldState }) => (
            <ScopesField
              value={field.value}
              onChange={field.onChange}
              identifiers={identifiers}
              error={fieldState.error?.message}
            />
          )}
        />
      </FormDialog>
      <NewTokenDialog created={created} onClose={close} opener={opener} />
    </>
  );
}
