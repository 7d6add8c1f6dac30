"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { storedBefore } from "@/components/common/form/edit-conflict";
import { type EditConflict, EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { EntriesField } from "@/components/common/form/entries-field";
import { FormField } from "@/components/common/form/form-field";
import { showStored } from "@/components/common/form/show-stored";
import { StatusField } from "@/components/common/form/status-field";
import { useStatusConflict } from "@/components/common/form/use-status-conflict";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { useUndo } from "@/components/common/use-undo";
import { Input as TextInput } from "@/components/ui/input";
import { command, query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { identifierSchema } from "@/lib/features/apps/schema";
import { createEnvironmentAppInput } from "@/lib/features/environments/schema";
import type { EnvironmentFields } from "./environment-actions";

const formSchema = createEnvironmentAppInput.omit({ appId: true });
type Values = z.output<typeof formSchema>;
type Input = z.input<typeof formSchema>;
type Form = UseFormReturn<Input, unknown, Values>;

/** An environment as the form shows it. */
export function shownValues(environment: EnvironmentFields | undefined): Input {
  return {
    name: environment?.name ?? "",
    status: environment?.status ?? "active",
    identifiers: environment?.identifiers ?? [],
  };
}

/**
 * The form of an environment, and a function that sends it and notifies of the result.
 * @param appId the application that an environment is added to
 * @param environment the environment to change; if omitted, one is added
 */
export function useEnvironmentForm(appId: string, environment?: EnvironmentFields) {
  const t = useTranslations("environments");
  const create = useOperation("apps/create-environment-app");
  const update = useOperation("apps/update-environment-app", { quiet: ["conflict"] });
  const notifyUndoable = useUndo();
  const form: Form = useZodForm(formSchema, { defaultValues: shownValues(environment) });

  // What is stored may change while the form is open, as by an undo.
  const shown = useRef(environment);
  useEffect(() => {
    if (shown.current?.updatedAt !== environment?.updatedAt) showStored(form, shownValues(environment));
    shown.current = environment;
  }, [form, environment]);

  const load = async () => {
    if (!environment) return null;
    const found = await query("apps/get-environment-app", { id: environment.id });
    return { updatedAt: found.updatedAt, values: shownValues(found) };
  };
  const status = useStatusConflict();
  const conflict = useEditConflict({
    form,
    updatedAt: environment?.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      {
        name: "identifiers",
        label: t("identifiers"),
        show: (value) => (Array.isArray(value) ? value.join("\n") : ""),
      },
      status,
    ],
  });

  const submit = async (fields: Values) => {
    const result = await conflict.save((ifUpdatedAt) =>
      environment ? update.run({ id: environment.id, ifUpdatedAt, ...fields }) : create.run({ appId, ...fields }),
    );
    if (!result.ok) return result;
    const before = storedBefore(form);
    const undo = async ({ id }: EnvironmentFields) => {
      const undone = await command("apps/update-environment-app", { id, ...before, expected: fields });
      // If the page was not refreshed since the change, it has the environment as it was, which does not replace the input.
      showStored(form, before);
      return undone;
    };
    const title = t(environment ? "updated" : "created", { name: result.data.name });
    notifyUndoable(title, environment && (() => undo(environment)));
    return result;
  };
  return { form, conflict, submit };
}

/** The fields of `useEnvironmentForm`. */
export function EnvironmentInputs({ form, conflict }: { form: Form; conflict: EditConflict<Input> }) {
  const { control } = form;
  const t = useTranslations("environments");
  const validation = useTranslations("validation");
  return (
    <>
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <TextInput {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      <EntriesField
        control={control}
        name="identifiers"
        label={t("identifiers")}
        hint={t("identifiersHint")}
        optional
        accepts={(entry) => identifierSchema.safeParse(entry).success}
        refusal={validation("identifierForm")}
        removeLabel={(identifier) => t("removeIdentifier", { identifier })}
        placeholder="com.acme.app.staging"
      />
      <StatusField control={control} name="status" hint={t("statusHint")} />
    </>
  );
}
