"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Controller, useWatch } from "react-hook-form";
import { z } from "zod";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { findListed } from "@/components/common/form/find-listed";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { createWebhookInput, type Webhook, type WebhookWithSecret } from "@/lib/features/webhooks/schema";
import { WEBHOOK_FORMATS } from "@/lib/kernel/webhook-formats";
import { AppsField, useAppNames } from "./apps-field";
import { EventsField } from "./events-field";
import { FormatPreview } from "./format-preview";
import { SecretDialog } from "./secret-view";

/** The input of create-webhook with every field, which update-webhook takes too. */
const formSchema = createWebhookInput.omit({ locale: true }).extend({
  appIds: createWebhookInput.shape.appIds.unwrap(),
  format: z.enum(WEBHOOK_FORMATS),
});
type FormInput = z.input<typeof formSchema>;
type FormOutput = z.output<typeof formSchema>;

function useWebhookForm(defaultValues: FormInput) {
  return useZodForm(formSchema, { defaultValues });
}

function WebhookFields({ form }: { form: ReturnType<typeof useWebhookForm> }) {
  const t = useTranslations("webhooks");
  const { control } = form;
  const [format, events] = useWatch({ control, name: ["format", "events"] });
  const formats = WEBHOOK_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }));
  return (
    <>
      <FormField control={control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <FormField control={control} name="url" label={t("url")} hint={t("urlHint")}>
        {(field) => (
          <Input
            {...field}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            className="font-mono"
          />
        )}
      </FormField>
      <Controller
        control={control}
        name="events"
        render={({ field, fieldState: { error } }) => (
          <EventsField value={field.value} onChange={field.onChange} error={messageOf(error)} />
        )}
      />
      <Controller
        control={control}
        name="appIds"
        render={({ field, fieldState: { error } }) => (
          <AppsField value={field.value} onChange={field.onChange} error={messageOf(error)} />
        )}
      />
      <SelectField control={control} name="format" label={t("format")} hint={t("formatHint")} options={formats} />
      <FormatPreview format={format} event={events[0]} />
    </>
  );
}

/** The message of a list or of its first item that is wrong. */
function messageOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string") return error.message;
  return Object.values(error).map(messageOf).find(Boolean);
}

/** Adds a webhook, and shows its secret once. */
export function CreateWebhookDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const create = useOperation("webhooks/create-webhook");
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const form = useWebhookForm({ name: "", url: "", events: ["release.published"], appIds: null, format: "standard" });
  const submit = async (values: FormOutput) => {
    const result = await create.run(values);
    if (result.ok) setCreated(result.data);
    return result;
  };
  const close = () => {
    setCreated(null);
    router.refresh();
  };
  return (
    <>
      <FormDialog
        open={open}
        onOpenChange={onOpenChange}
        size="lg"
        title={t("create")}
        description={t("createDescription")}
        form={form}
        onSubmit={submit}
        submitLabel={t("create")}
      >
        <WebhookFields form={form} />
      </FormDialog>
      {created && <SecretDialog webhook={created} onClose={close} />}
    </>
  );
}

/** Changes a webhook. */
export function UpdateWebhookDialog({ webhook, open, onOpenChange }: DialogProps & { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const common = useTranslations("common");
  const update = useOperation("webhooks/update-webhook", { quiet: ["conflict"] });
  const { id, name, url, events, appIds, format } = webhook;
  const form = useWebhookForm({ name, url, events, appIds, format });
  const [comparedApps, setComparedApps] = useState<readonly string[]>([]);
  const { names } = useAppNames(comparedApps);
  const load = async () => {
    const found = await findListed(id, (page) => query("webhooks/get-webhooks", page));
    if (!found) return null;
    const { updatedAt, name, url, events, appIds, format } = found;
    setComparedApps([...(form.getValues("appIds") ?? []), ...(appIds ?? [])]);
    return { updatedAt, values: { name, url, events, appIds, format } };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: webhook.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      { name: "url", label: t("url") },
      { name: "events", label: t("events"), show: (value) => (value as string[]).join("\n") },
      {
        name: "appIds",
        label: t("apps"),
        show: (value) => (Array.isArray(value) ? value.map((appId) => names[appId] ?? appId).join("\n") : t("allApps")),
      },
      { name: "format", label: t("format"), show: (value) => t(`formats.${value as Webhook["format"]}`) },
    ],
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={t("update", { name })}
      form={form}
      onSubmit={(values) => conflict.save((ifUpdatedAt) => update.run({ id, ifUpdatedAt, ...values }))}
      successNotice={({ name }) => t("updated", { name })}
      refreshes
      submitLabel={common("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <WebhookFields key={conflict.choices} form={form} />
    </FormDialog>
  );
}
