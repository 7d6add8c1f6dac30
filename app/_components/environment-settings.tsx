import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/common/link-button";
import { EnvironmentFacts } from "@/components/environments/environment-facts";
import { EnvironmentFormOnDemand } from "@/components/environments/environment-form-on-demand";
import { RetentionFormOnDemand } from "@/components/retention/retention-form-on-demand";
import { RulesFormOnDemand } from "@/components/rules/rules-form-on-demand";
import { AppStorePanel } from "@/components/signing-key/app-store-panel";
import { SigningKeyPanel } from "@/components/signing-key/signing-key-panel";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { call } from "@/lib/api/call";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { getRetention } from "@/lib/features/retention/operations/get-retention";
import { getEnvironmentRules } from "@/lib/features/rules/operations/get-environment-rules";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { EnvironmentPage, type LoadedEnvironment } from "./environment-page";

/** The name, the identifiers and the status of an environment, as a form for those who may change them. */
export async function EnvironmentSettings(loaded: LoadedEnvironment) {
  const [t, environment] = await Promise.all([
    getTranslations("environments"),
    call(getEnvironmentApp, { id: loaded.environment.id }),
  ]);
  const mayUpdate = environment.scopes.includes("environment:write");
  const { id, appId, name, status, identifiers, updatedAt } = environment;
  return (
    <EnvironmentPage {...loaded} tab="settings">
      {mayUpdate ? (
        <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="flex min-w-0 flex-col gap-4">
            <Card>
              <CardHeader>
                <CardTitle>{t("tabs.settings")}</CardTitle>
              </CardHeader>
              <CardContent>
                <EnvironmentFormOnDemand environment={{ id, appId, name, status, identifiers, updatedAt }} />
              </CardContent>
            </Card>
            <RulesCard environmentId={id} />
            {environment.scopes.includes("secure-certificate:read") && (
              <KeyCards environmentId={id} canWrite={environment.scopes.includes("secure-certificate:write")} />
            )}
            <RetentionCard appId={appId} environmentId={id} hasBin={environment.scopes.includes("release:delete")} />
          </div>
          <EnvironmentFacts environment={environment} onlyFixed />
        </div>
      ) : (
        <EnvironmentFacts environment={environment} />
      )}
    </EnvironmentPage>
  );
}

type SettingsCardProps = { title: string; description: string; children: ReactNode };

/** One subject of the settings, with what it is about. */
function SettingsCard({ title, description, children }: SettingsCardProps) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <CardDescription>{description}</CardDescription>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}

/** What builds must fulfil to be published in an environment. */
async function RulesCard({ environmentId }: { environmentId: string }) {
  const [t, rules] = await Promise.all([getTranslations("rules"), call(getEnvironmentRules, { environmentId })]);
  return (
    <SettingsCard title={t("title")} description={t("description")}>
      <RulesFormOnDemand rules={rules} />
    </SettingsCard>
  );
}

/** Whose key signs the APKs that are made of an environment's bundles, and which one registers devices with Apple. */
async function KeyCards({ environmentId, canWrite }: { environmentId: string; canWrite: boolean }) {
  const [signing, appStore] = await Promise.all([getTranslations("signingKey"), getTranslations("appStoreKey")]);
  return (
    <>
      <SettingsCard title={signing("title")} description={signing("description")}>
        <SigningKeyPanel environmentId={environmentId} canWrite={canWrite} />
      </SettingsCard>
      <SettingsCard title={appStore("title")} description={appStore("description")}>
        <AppStorePanel environmentId={environmentId} canWrite={canWrite} />
      </SettingsCard>
    </>
  );
}

type RetentionCardProps = { appId: string; environmentId: string; hasBin: boolean };

/** Which releases of an environment stay, with the way to the bin for those who see it. */
async function RetentionCard({ appId, environmentId, hasBin }: RetentionCardProps) {
  const [t, retention] = await Promise.all([getTranslations("retention"), call(getRetention, { environmentId })]);
  return (
    <SettingsCard title={t("title")} description={t("description")}>
      <RetentionFormOnDemand retention={retention} />
      {hasBin && (
        <LinkButton href={contextPath(PAGES.bin, appId)} variant="secondary" className="self-start max-lg:self-stretch">
          {t("openBin")}
        </LinkButton>
      )}
    </SettingsCard>
  );
}
