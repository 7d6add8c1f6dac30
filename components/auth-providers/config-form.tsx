"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, type RefObject, useRef } from "react";
import type { Control, FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { type EditConflict, EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { showStored } from "@/components/common/form/show-stored";
import type { SubmitResult } from "@/components/common/form/submit";
import { SubmitButton } from "@/components/common/form/submit-button";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { Textarea } from "@/components/ui/textarea";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { ShownConfig, SsoProviderName } from "@/lib/features/auth-providers/schema";

const schemas = () => import("./config-form-schema");

/** A provider and its saved configuration; null if there is none. */
export type ConfigFormProps = {
  [P in SsoProviderName]: { provider: P; config: ShownConfig<P> | null };
}[SsoProviderName];

/** The configuration form of a provider. A saved secret is never shown; an empty field keeps it. */
export function ConfigForm(props: ConfigFormProps) {
  switch (props.provider) {
    case "apple":
      return <AppleForm config={props.config} />;
    case "azure":
      return <AzureForm config={props.config} />;
    default:
      return <OauthForm key={props.provider} {...props} />;
  }
}

function shownApple(config: ShownConfig<"apple"> | null) {
  const { clientId = "", teamId = "", keyId = "" } = config ?? {};
  return { clientId, teamId, keyId, privateKey: "" };
}

/** The hint of a field whose change gives the users' accounts other identifiers. */
function hintOf(hint: string, ifConfigured: string | null): string {
  return ifConfigured === null ? hint : `${hint} ${ifConfigured}`;
}

function AppleForm({ config }: { config: ShownConfig<"apple"> | null }) {
  const t = useTranslations("authProviders.configure");
  const create = useOperation("config/create-apple-config");
  const update = useOperation("config/update-apple-config", { quiet: ["conflict"] });
  const isSet = useRef(config !== null);
  const form = useZodForm(() => schemas().then(({ appleForm }) => appleForm(() => isSet.current)), {
    defaultValues: shownApple(config),
  });
  const conflict = useEditConflict({
    form,
    updatedAt: config?.updatedAt,
    load: async () => {
      const stored = await query("config/get-apple-config", {});
      return { updatedAt: stored.updatedAt, values: shownApple(stored) };
    },
    fields: [
      { name: "clientId", label: t("servicesId") },
      { name: "teamId", label: t("teamId") },
      { name: "keyId", label: t("keyId") },
      { name: "privateKey", label: t("privateKey"), isSecret: true },
    ],
  });
  return (
    <ProviderForm
      provider="apple"
      form={form}
      conflict={conflict}
      onSubmit={(values) =>
        conflict.save((ifUpdatedAt) =>
          isSet.current
            ? update.run({ ...values, ifUpdatedAt })
            : create.run({ ...values, privateKey: values.privateKey ?? "" }),
        )
      }
      shown={shownApple}
      isSet={isSet}
    >
      <IdField control={form.control} name="clientId" label={t("servicesId")} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <IdField
          control={form.control}
          name="teamId"
          label={t("teamId")}
          hint={hintOf(t("teamIdHint"), config && t("issuerChange"))}
        />
        <IdField control={form.control} name="keyId" label={t("keyId")} hint={t("keyIdHint")} />
      </div>
      <FormField
        control={form.control}
        name="privateKey"
        label={t("privateKey")}
        hint={config ? t("keySet") : t("privateKeyHint")}
        optional={config !== null}
      >
        {(field) => (
          <Textarea
            {...field}
            rows={5}
            autoComplete="off"
            spellCheck={false}
            placeholder={"-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----"}
            className="font-mono text-[0.8125rem]"
          />
        )}
      </FormField>
    </ProviderForm>
  );
}

function shownAzure(config: ShownConfig<"azure"> | null) {
  const { clientId = "", authority = "" } = config ?? {};
  return { clientId, authority, clientSecret: "" };
}

function AzureForm({ config }: { config: ShownConfig<"azure"> | null }) {
  const t = useTranslations("authProviders.configure");
  const create = useOperation("config/create-azure-config");
  const update = useOperation("config/update-azure-config", { quiet: ["conflict"] });
  const isSet = useRef(config !== null);
  const form = useZodForm(() => schemas().then(({ azureForm }) => azureForm(() => isSet.current)), {
    defaultValues: shownAzure(config),
  });
  const conflict = useEditConflict({
    form,
    updatedAt: config?.updatedAt,
    load: async () => {
      const stored = await query("config/get-azure-config", {});
      return { updatedAt: stored.updatedAt, values: shownAzure(stored) };
    },
    fields: [
      { name: "clientId", label: t("clientId") },
      { name: "clientSecret", label: t("clientSecret"), isSecret: true },
      { name: "authority", label: t("authority") },
    ],
  });
  return (
    <ProviderForm
      provider="azure"
      form={form}
      conflict={conflict}
      onSubmit={(values) =>
        conflict.save((ifUpdatedAt) =>
          isSet.current
            ? update.run({ ...values, ifUpdatedAt })
            : create.run({ ...values, clientSecret: values.clientSecret ?? "" }),
        )
      }
      shown={shownAzure}
      isSet={isSet}
    >
      <IdField control={form.control} name="clientId" label={t("clientId")} />
      <SecretField control={form.control} name="clientSecret" isSet={config !== null} />
      <UrlField
        control={form.control}
        name="authority"
        label={t("authority")}
        hint={hintOf(t("authorityHint"), config && t("issuerChange"))}
        placeholder="https://login.microsoftonline.com/acme.com"
      />
    </ProviderForm>
  );
}

type OauthProvider = "github" | "gitlab" | "google";

function shownOauth(config: ShownConfig<OauthProvider> | null) {
  return { clientId: config?.clientId ?? "", clientSecret: "", baseUrl: config?.baseUrl ?? "" };
}

function OauthForm({ provider, config }: { provider: OauthProvider; config: ShownConfig<OauthProvider> | null }) {
  const t = useTranslations("authProviders.configure");
  const create = useOperation(`config/create-${provider}-config` as const);
  const update = useOperation(`config/update-${provider}-config` as const, { quiet: ["conflict"] });
  const isSet = useRef(config !== null);
  const form = useZodForm(() => schemas().then(({ oauthForm }) => oauthForm(() => isSet.current)), {
    defaultValues: shownOauth(config),
  });
  const conflict = useEditConflict({
    form,
    updatedAt: config?.updatedAt,
    load: async () => {
      const stored = await query(`config/get-${provider}-config` as const, {});
      return { updatedAt: stored.updatedAt, values: shownOauth(stored) };
    },
    fields: [
      { name: "clientId", label: t("clientId") },
      { name: "clientSecret", label: t("clientSecret"), isSecret: true },
      { name: "baseUrl", label: t("baseUrl") },
    ],
  });
  return (
    <ProviderForm
      provider={provider}
      form={form}
      conflict={conflict}
      onSubmit={({ clientSecret, ...values }) =>
        conflict.save((ifUpdatedAt) =>
          isSet.current
            ? update.run({ ...values, clientSecret, ifUpdatedAt })
            : create.run({ ...values, clientSecret: clientSecret ?? "", baseUrl: values.baseUrl ?? undefined }),
        )
      }
      shown={shownOauth}
      isSet={isSet}
    >
      <IdField control={form.control} name="clientId" label={t("clientId")} />
      <SecretField control={form.control} name="clientSecret" isSet={config !== null} />
      <UrlField
        control={form.control}
        name="baseUrl"
        label={t("baseUrl")}
        hint={hintOf(t(`baseUrlHint.${provider}`), config && t("issuerChange"))}
        optional
      />
    </ProviderForm>
  );
}

type ProviderFormProps<Input extends FieldValues, Output, Data> = {
  provider: SsoProviderName;
  form: UseFormReturn<Input, unknown, Output>;
  conflict: EditConflict<Input>;
  onSubmit: (values: Output) => Promise<SubmitResult<Data>>;
  /** What was saved as the form shows it, without the secret. */
  shown: (stored: Data) => Input;
  /** Whether a secret is saved, for the form's schema; true from the first save on. */
  isSet: RefObject<boolean>;
  children: ReactNode;
};

/** The form's fields with the save button. After saving, it notifies the user and refreshes the page. */
function ProviderForm<Input extends FieldValues, Output, Data>({
  provider,
  shown,
  isSet,
  conflict,
  children,
  ...form
}: ProviderFormProps<Input, Output, Data>) {
  const t = useTranslations("authProviders.configure");
  const name = useTranslations("users.providers")(provider);
  const router = useRouter();
  useUnsavedInput(form.form.formState.isDirty);
  const saved = (stored: Data, input: Input) => {
    isSet.current = true;
    showStored(form.form, shown(stored), input);
    notify.success(t("saved", { provider: name }));
    router.refresh();
  };
  return (
    <Form {...form} onSuccess={saved}>
      <EditConflictNotice form={form.form} conflict={conflict} />
      {children}
      <SubmitButton className="self-start max-lg:self-stretch">{t("save")}</SubmitButton>
    </Form>
  );
}

type TextFieldProps<Input extends FieldValues, Output> = {
  control: Control<Input, unknown, Output>;
  name: FieldPath<Input>;
  label: string;
  hint?: string;
  optional?: boolean;
  placeholder?: string;
};

/** An identifier as shown in the provider's console. */
function IdField<Input extends FieldValues, Output>({ placeholder, ...props }: TextFieldProps<Input, Output>) {
  return (
    <FormField {...props}>
      {(field) => (
        <Input
          {...field}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          className="font-mono text-[0.8125rem]"
        />
      )}
    </FormField>
  );
}

function UrlField<Input extends FieldValues, Output>({ placeholder, ...props }: TextFieldProps<Input, Output>) {
  return (
    <FormField {...props}>
      {(field) => (
        <Input
          {...field}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
        />
      )}
    </FormField>
  );
}

function SecretField<Input extends FieldValues, Output>({
  control,
  name,
  isSet,
}: Pick<TextFieldProps<Input, Output>, "control" | "name"> & { isSet: boolean }) {
  const t = useTranslations("authProviders.configure");
  return (
    <FormField
      control={control}
      name={name}
      label={t("clientSecret")}
      hint={isSet ? t("secretSet") : undefined}
      optional={isSet}
    >
      {(field) => <PasswordInput {...field} autoComplete="new-password" />}
    </FormField>
  );
}
