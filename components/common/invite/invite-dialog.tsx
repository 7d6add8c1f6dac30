"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { type Control, useController, useWatch } from "react-hook-form";
import { AppPlaceFields } from "@/components/common/apps/app-place-fields";
import { useAppEnvironments } from "@/components/common/apps/use-app-environments";
import { Disclosure } from "@/components/common/disclosure";
import { EntriesField } from "@/components/common/form/entries-field";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { fullName } from "@/components/common/full-name";
import { Link } from "@/components/common/link";
import { usePlainWords } from "@/components/common/permissions/plain-words";
import { PlainWordsNote } from "@/components/common/permissions/plain-words-note";
import { RoleField } from "@/components/common/permissions/role-field";
import { roleLabel } from "@/components/common/permissions/role-label";
import type { SearchOption } from "@/components/common/search-list";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import { emailSchema } from "@/lib/features/auth/schema";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { PRESET_SCOPES, PRESETS } from "@/lib/permissions/presets";
import { type Invitation, InvitationLinksDialog } from "./invitation-links-dialog";
import { ALL_ENVIRONMENTS, type InviteForm, inviteFormSchema, toInvitation } from "./invite-form";

export type InviteDialogProps = DialogProps & {
  /** Selects "Access to an application" with this application. */
  app?: { id: string; name: string };
  /** The role that the people get; it cannot be changed. */
  role?: { id: string; name: string };
};

type PartProps = { control: Control<InviteForm, unknown, InviteForm> };

/**
 * Invites people by their emails, with access to an application or with a role. If no mail server sends the invitations,
 * it shows their links.
 */
export function InviteDialog({ open, onOpenChange, app, role }: InviteDialogProps) {
  const t = useTranslations("invite");
  const roleTexts = useTranslations("roles");
  const router = useRouter();
  const invite = useOperation("auth/invite-users");
  const [links, setLinks] = useState<Invitation[]>([]);
  const form = useZodForm(inviteFormSchema, {
    defaultValues: {
      emails: [],
      firstNames: "",
      lastNames: "",
      team: "",
      provider: "email",
      access: role ? "role" : "preset",
      preset: "tester",
      appId: app?.id ?? "",
      environmentId: ALL_ENVIRONMENTS,
      roleId: role?.id ?? "",
    },
  });
  const { control } = form;
  const [appOption, setAppOption] = useState<SearchOption | null>(app ? { value: app.id, label: app.name } : null);
  const access = useWatch({ control, name: "access" });

  const submit = async (values: InviteForm) => {
    const result = await invite.run(toInvitation(values));
    if (!result.ok) return result;
    const { users, role: given } = result.data;
    const waiting = users.flatMap((user) =>
      user.invitationLink ? [{ name: fullName(user), email: user.email, link: user.invitationLink }] : [],
    );
    setLinks(waiting);
    if (waiting.length === 0) {
      const isMailed = values.provider === "email";
      notify.success(t(isMailed ? "sent" : "added", { count: users.length }), {
        description: t("gotRole", { role: roleLabel(given.name, roleTexts), count: users.length }),
      });
      router.refresh();
    }
    return result;
  };

  const closeLinks = () => {
    setLinks([]);
    router.refresh();
  };

  return (
    <>
      <FormDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t("title")}
        description={role ? t("roleDescription", { role: roleLabel(role.name, roleTexts) }) : t("description")}
        form={form}
        onSubmit={submit}
        submitLabel={t("submit")}
        summary={access === "preset" && <InPlainWords control={control} app={appOption} />}
      >
        <EntriesField
          control={control}
          name="emails"
          label={t("emails")}
          hint={t("emailsHint")}
          placeholder="ada@example.com"
          accepts={(entry) => emailSchema.safeParse(entry).success}
          refusal={t("emailRefused")}
          removeLabel={(email) => t("removeEmail", { email })}
        />
        {!role && <AccessField control={control} />}
        {access === "preset" && !role && <PresetFields control={control} app={appOption} onChoose={setAppOption} />}
        {access === "role" && !role && <RoleField control={control} name="roleId" label={t("role")} />}
        <ProviderField control={control} />
        <PersonFields control={control} />
      </FormDialog>
      {links.length > 0 && <InvitationLinksDialog invitations={links} onClose={closeLinks} />}
    </>
  );
}

/** The names of one person, and the team of all; folded, because they can be left out. */
function PersonFields({ control }: PartProps) {
  const t = useTranslations("invite");
  const person = useTranslations("profile");
  const emails = useWatch({ control, name: "emails" });
  const isOne = emails.length <= 1;
  return (
    <Disclosure summary={t(isOne ? "nameAndTeam" : "team")} className="-my-1">
      <div className="grid gap-4 pt-2 sm:grid-cols-2">
        {(isOne ? (["firstNames", "lastNames", "team"] as const) : (["team"] as const)).map((name) => (
          <FormField key={name} control={control} name={name} label={person(name)} optional="unmarked">
            {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
          </FormField>
        ))}
      </div>
    </Disclosure>
  );
}

function AccessField({ control }: PartProps) {
  const t = useTranslations("invite");
  const id = useId();
  const { field } = useController({ control, name: "access" });
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="mb-2 font-medium leading-5">{t("access")}</legend>
      <RadioGroup
        aria-label={t("access")}
        value={field.value}
        onValueChange={field.onChange}
        className="flex flex-wrap gap-x-5 gap-y-2"
      >
        {(["preset", "role"] as const).map((access) => (
          <div key={access} className="flex items-center gap-2">
            <RadioGroupItem id={`${id}-${access}`} value={access} />
            <Label htmlFor={`${id}-${access}`} className="font-normal">
              {t(`accessKinds.${access}`)}
            </Label>
          </div>
        ))}
      </RadioGroup>
    </fieldset>
  );
}

function PresetFields({
  control,
  app,
  onChoose,
}: PartProps & { app: SearchOption | null; onChoose: (app: SearchOption) => void }) {
  const t = useTranslations("invite");
  const common = useTranslations("permissions");
  const presets = useTranslations("presets");
  const [preset, appId] = useWatch({ control, name: ["preset", "appId"] });
  const { field: environment } = useController({ control, name: "environmentId" });
  const { environmentsOf, retry } = useAppEnvironments(appId ? [appId] : []);
  const choose = (option: SearchOption) => {
    environment.onChange(ALL_ENVIRONMENTS);
    onChoose(option);
  };
  return (
    <>
      <AppPlaceFields
        control={control}
        appLabel={t("app")}
        environmentLabel={t("environment")}
        app={app}
        onChooseApp={choose}
        environments={appId ? environmentsOf(appId) : []}
        onRetry={retry}
        firstOption={{ value: ALL_ENVIRONMENTS, label: common("allEnvironments") }}
      />
      <SelectField
        control={control}
        name="preset"
        label={t("preset")}
        hint={presets(`${preset}.description`)}
        options={PRESETS.map((value) => ({ value, label: presets(`${value}.name`) }))}
      />
    </>
  );
}

type ProviderState = OperationOutput<"config/get-auth-providers">["items"][number];

/** How the people sign in. Methods that are turned off cannot be chosen; the hint links to where they are turned on. */
function ProviderField({ control }: PartProps) {
  const t = useTranslations("invite");
  const users = useTranslations("users");
  const notified = useNotifiedCall();
  const { field } = useController({ control, name: "provider" });
  const { value, onChange } = field;
  const [states, setStates] = useState<readonly ProviderState[] | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    notified(() => query("config/get-auth-providers", {}, { signal: controller.signal })).then(
      (found) => found && setStates(found.items),
      () => {},
    );
    return () => controller.abort();
  }, [notified]);

  const enabled = states?.filter((state) => state.enabled);
  const isUsable = enabled?.some(({ provider }) => provider === value) ?? true;
  const first = enabled?.[0]?.provider;
  useEffect(() => {
    if (!isUsable && first) onChange(first);
  }, [isUsable, first, onChange]);

  const isAnyOff = states?.some((state) => !state.enabled) ?? false;
  return (
    <SelectField
      control={control}
      name="provider"
      label={users("provider")}
      disabled={states === null}
      options={(states ?? [{ provider: value, enabled: true }]).map(({ provider, enabled: on }) => ({
        value: provider,
        label: on ? users(`providers.${provider}`) : t("providerOff", { provider: users(`providers.${provider}`) }),
        disabled: !on,
      }))}
      hint={
        <>
          {value === "email" ? t("emailHint") : users("ssoHint", { provider: users(`providers.${value}`) })}{" "}
          {isAnyOff && (
            <Link
              href={pagePath(PAGES.adminSettings, { tab: "enable-sso" })}
              prefetch={false}
              className="text-link hover:underline"
            >
              {t("configureProviders")}
            </Link>
          )}
        </>
      }
    />
  );
}

function InPlainWords({ control, app }: PartProps & { app: SearchOption | null }) {
  const t = useTranslations("invite");
  const permissions = useTranslations("permissions");
  const inWords = usePlainWords();
  const [preset, appId, environmentId] = useWatch({ control, name: ["preset", "appId", "environmentId"] });
  const { environmentsOf } = useAppEnvironments(appId ? [appId] : []);
  const environments = appId ? environmentsOf(appId) : [];
  const chosen = typeof environments === "object" ? environments.filter(({ id }) => id === environmentId) : [];
  const sentence =
    app &&
    inWords({
      role: null,
      scopes: PRESET_SCOPES[preset],
      apps: [{ name: app.label, environments: environmentId === ALL_ENVIRONMENTS ? "all" : chosen }],
    });
  return <PlainWordsNote label={permissions("preview")}>{sentence ?? t("previewMissing")}</PlainWordsNote>;
}
