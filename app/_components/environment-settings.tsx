import { getTranslations } from "next-intl/server";
import { EnvironmentFacts } from "@/components/environments/environment-facts";
import { EnvironmentFormOnDemand } from "@/components/environments/environment-form-on-demand";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { call } from "@/lib/api/call";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
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
          <Card>
            <CardHeader>
              <CardTitle>{t("tabs.settings")}</CardTitle>
            </CardHeader>
            <CardContent>
              <EnvironmentFormOnDemand key={id} environment={{ id, appId, name, status, identifiers, updatedAt }} />
            </CardContent>
          </Card>
          <EnvironmentFacts environment={environment} onlyFixed />
        </div>
      ) : (
        <EnvironmentFacts environment={environment} />
      )}
    </EnvironmentPage>
  );
}
