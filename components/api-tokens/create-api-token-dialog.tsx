"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useState } from "react";
import { Controller, useWatch } from "react-hook-form";
import { z } from "zod";
import { AppPlaceFields } from "@/components/common/apps/app-place-fields";
import {
  type AppEnvironment,
  type AppEnvironments,
  useAppEnvironments,
} from "@/components/common/apps/use-app-environments";
import { EntriesField } from "@/components/common/form/entries-field";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import type { SearchOption } from "@/components/common/search-list";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { isTokenIdentifier } from "@/lib/features/api-tokens/rules";
import { createApiTokenInput } from "@/lib/features/api-tokens/schema";
import { IdentifierText } from "./identifier-badge";
import { NewTokenDialog, type NewTokenDialogProps } from "./new-token-dialog";
import { PurposeTiles } from "./purpose-tiles";
import { ScopesField } from "./scopes-field";
import { dayAfter, endOfLocalDay, localDay } from "./token-end";
import type { TokenPlace, TokenPurpose } from "./token-place";
import { identifiersOf, isIdentifierOf, recommendedScopes, TOKEN_PURPOSES } from "./token-purpose";

/** The operation's input with the purpose, a day instead of a time for the expiry, and all scopes selected explicitly. */
const formSchema = z
  .object({
    ...createApiTokenInput.shape,
    purpose: z.enum(TOKEN_PURPOSES),
    identifiers: z.array(z.string()),
    scopes: createApiTokenInput.shape.scopes.unwrap(),
    validUntil: z.string().min(1).transform(endOfLocalDay).pipe(createApiTokenInput.shape.validUntil),
  })
  .superRefine(({ purpose, identifiers }, context) => {
    if (purpose === "server") return;
    const add = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    if (identifiers.length === 0) add(["identifiers"], "apiTokenIdentifiers");
    for (const [index, identifier] of identifiers.entries()) {
      if (!isTokenIdentifier(identifier) || !isIdentifierOf(purpose, identifier)) {
        add(["identifiers", index], purpose === "ios" ? "bundleId" : "androidFingerprint");
      }
    }
  });

const PRESET_DAYS = [30, 90, 365] as const;
/** Number of releases among which the newest signed Android installer is looked for. */
const RELEASES = 25;

export type CreateApiTokenDialogProps = DialogProps & {
  /** Receives the focus when the dialog closes. */
  opener: RefObject<HTMLElement | null>;
  /** The environment and its application to start with. */
  place?: TokenPlace;
  /** Who uses the token, to start with. */
  purpose?: TokenPurpose;
  /** Receives the token once it was created. */
  onCreated?: (token: string) => void;
};

function useTokenForm(place: TokenPlace | undefined, purpose: TokenPurpose) {
  return useZodForm(formSchema, {
    defaultValues: {
      purpose,
      name: "",
      appId: place?.app.id,
      environmentId: place?.environment.id,
      identifiers: [],
      validUntil: dayAfter(new Date(), 365),
      scopes: recommendedScopes(purpose),
    },
  });
}

/**
 * Enters the identifiers that are known of the app, until the user enters others.
 * @returns the release whose signature was entered, by its name
 */
function useKnownIdentifiers(
  form: ReturnType<typeof useTokenForm>,
  known: { purpose: TokenPurpose; environmentId: string | undefined; bundleIds: readonly string[] },
): string | null {
  const { purpose, environmentId } = known;
  const [signedRelease, setSignedRelease] = useState<string | null>(null);
  const bundleIds = known.bundleIds.filter(isTokenIdentifier).join(" ");
  useEffect(() => {
    if (purpose === "server" || form.getFieldState("identifiers").isDirty) return;
    if (purpose === "ios") {
      form.resetField("identifiers", { defaultValue: bundleIds.split(" ").filter(Boolean) });
      return;
    }
    form.resetField("identifiers", { defaultValue: [] });
    setSignedRelease(null);
    if (!environmentId) return;
    const controller = new AbortController();
    const { signal } = controller;
    query("apps/get-testing-deploys", { environmentId, limit: RELEASES }, { signal }).then(
      ({ items }) => {
        const signed = items.find(({ installer }) => installer.kind === "apk" && installer.signingSha256.length > 0);
        if (!signed || signal.aborted || form.getFieldState("identifiers").isDirty) return;
        form.resetField("identifiers", { defaultValue: signed.installer.signingSha256 });
        setSignedRelease(releaseName(signed));
      },
      // It is only a suggestion.
      () => {},
    );
    return () => controller.abort();
  }, [purpose, bundleIds, environmentId, form]);
  return signedRelease;
}

/** Creates an API token for an environment of an application, and shows it once. */
export function CreateApiTokenDialog({
  open,
  onOpenChange,
  opener,
  place,
  purpose: givenPurpose = "server",
  onCreated,
}: CreateApiTokenDialogProps) {
  const t = useTranslations("apiTokens");
  const validation = useTranslations("validation");
  const router = useRouter();
  const create = useOperation("config/create-api-token");
  const [app, setApp] = useState<SearchOption | null>(
    place ? { value: place.app.id, label: place.app.name, description: place.app.identifier } : null,
  );
  const [created, setCreated] = useState<NewTokenDialogProps["created"]>(null);
  const form = useTokenForm(place, givenPurpose);
  const { control } = form;
  const [purpose, appId, environmentId] = useWatch({ control, name: ["purpose", "appId", "environmentId"] });

  const { environmentsOf, retry } = useAppEnvironments(appId ? [appId] : []);
  const environments = appId ? environmentsOf(appId) : [];
  const only = typeof environments === "object" && environments.length === 1 ? environments[0]?.id : undefined;
  useEffect(() => {
    if (only) form.setValue("environmentId", only, { shouldDirty: true });
  }, [only, form]);

  const environment = environmentOf(environments, environmentId);
  const bundleIds = [...new Set([app?.description ?? "", ...(environment?.identifiers ?? [])])];
  const signedRelease = useKnownIdentifiers(form, { purpose, environmentId, bundleIds });

  const choosePurpose = (next: TokenPurpose) => {
    form.setValue("purpose", next, { shouldDirty: true });
    form.resetField("identifiers", { defaultValue: [] });
    form.setValue("scopes", recommendedScopes(next), { shouldDirty: true });
    form.clearErrors(["identifiers", "scopes"]);
  };

  const chooseApp = (option: SearchOption) => {
    setApp(option);
    form.resetField("environmentId", { defaultValue: undefined });
  };

  const submit = async ({ purpose: chosen, identifiers, ...values }: z.output<typeof formSchema>) => {
    const result = await create.run({ ...values, identifiers: identifiersOf(chosen, identifiers) });
    if (result.ok) {
      setCreated({ token: result.data, appIdentifier: app?.description ?? "" });
      onCreated?.(result.data.token);
    }
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
        title={t("createTitle")}
        description={t("createDescription")}
        form={form}
        onSubmit={submit}
        submitLabel={t("create")}
      >
        <PurposeTiles value={purpose} onChange={choosePurpose} />
        <FormField control={control} name="name" label={t("name")} hint={t("nameHint")}>
          {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
        </FormField>
        <AppPlaceFields
          control={control}
          appLabel={t("app")}
          environmentLabel={t("environment")}
          app={app}
          onChooseApp={chooseApp}
          environments={environments}
          onRetry={retry}
          initialEnvironment={place && appId === place.app.id ? place.environment : undefined}
          placeholder={app ? undefined : t("chooseAppFirst")}
        />
        {purpose !== "server" && (
          <EntriesField
            key={purpose}
            control={control}
            name="identifiers"
            label={t(`purposes.${purpose}.identifiers`)}
            hint={
              purpose === "android" && signedRelease
                ? t("fromRelease", { release: signedRelease })
                : t(`purposes.${purpose}.identifiersHint`)
            }
            placeholder={purpose === "ios" ? "com.acme.app" : "3F:9A:…"}
            accepts={(entry) => isTokenIdentifier(entry) && isIdentifierOf(purpose, entry)}
            refusal={validation(purpose === "ios" ? "bundleId" : "androidFingerprint")}
            removeLabel={(identifier) => t("removeIdentifier", { identifier })}
            renderEntry={(identifier) => <IdentifierText identifier={identifier} />}
          />
        )}
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
              error={fieldState.error?.message}
              offersGroups={purpose === "server"}
            />
          )}
        />
      </FormDialog>
      <NewTokenDialog created={created} onClose={close} opener={opener} />
    </>
  );
}

function environmentOf(environments: AppEnvironments, id: string | undefined): AppEnvironment | undefined {
  return typeof environments === "object" ? environments.find((environment) => environment.id === id) : undefined;
}
